# SPDX-License-Identifier: GPL-2.0
# Thin: each target is a script. Everything made lies below build/ and out/.

export LINUX BASE_TARBALL

MODE ?= on
NODES ?= 4
CPUS ?= 2
BOOTS ?= 3

.PHONY: help bench check tree refresh boot sparse docs deep clean setup kernels

help:
	@echo 'make bench    boot stock and patched kernels in a 1 TB NUMA guest, print the'
	@echo '              table, write out/bench.json   [BOOTS=3] [MEM=256G]'
	@echo '              [SHAPES=waits,icount: only these guests]'
	@echo 'make check    all tests: patches, builds, guests; ends with N passed, N failed'
	@echo 'make tree     lay out build/linux: the base and the series, a commit a patch'
	@echo 'make refresh  write the commits of build/linux back to patches/'
	@echo 'make boot     a shell in the guest   [MODE=on|off|lazy|stock] [MEM=4G]'
	@echo '              [NODES=4] [CPUS=2]'
	@echo 'make sparse   fetch a sparse that is new enough (below build/)'
	@echo 'make docs     build the touched documents with sphinx'
	@echo 'make deep     what is not in make check: documents, models, the fast path,'
	@echo '              the checking kernel in every mode, data races, torture, and'
	@echo '              stock showing the bugs that the series fixes'
	@echo 'make clean    remove build/ and out/'
	@echo
	@echo 'The base is found in this order: LINUX=/path/to/git/tree, BASE_TARBALL=file,'
	@echo '../shared/base/, the package linux-source-7.3, a download from kernel.org.'

setup:
	@scripts/setup.sh run

tree: setup
	@scripts/tree.sh

kernels: tree
	@scripts/build.sh patched
	@scripts/initramfs.sh

bench: kernels
	@scripts/build.sh stock
	@scripts/bench.py --boots $(BOOTS) $(if $(MEM),--mem $(MEM)) $(if $(SHAPES),--shapes $(SHAPES))

boot: kernels
	@[ $(MODE) != stock ] || scripts/build.sh stock
	@scripts/vm.py --mode $(MODE) --nodes $(NODES) --cpus $(CPUS) $(if $(MEM),--mem $(MEM))

check: setup
	@scripts/check.sh

deep: kernels
	@scripts/setup.sh check
	@scripts/deep.sh

refresh:
	@scripts/refresh.sh

sparse: setup
	@scripts/setup.sh check
	@scripts/sparse.sh

docs: tree
	@scripts/docs.sh

clean:
	rm -rf build out
