// SPDX-License-Identifier: GPL-2.0
/*
 * The states of rcu_sync with an entry in two halves, and percpu-rwsem on top
 * of it, for Spin.  scripts/models.sh runs it, once as it stands and once for
 * each way to break it.
 *
 * Modelled:
 *   - rcu_sync_enter_start(), rcu_sync_enter_finish(), rcu_sync_exit(),
 *     rcu_sync_func(), rcu_sync_dtor(), with every WARN of theirs;
 *   - what cb_head and gp_cookie, which share their memory, hold when;
 *   - the read and write sides of percpu-rwsem: gp_state, read_count of two
 *     CPUs (a reader may leave on another CPU than it came; the writer reads
 *     them one after the other), block;
 *   - grace periods: one waits for the readers that had preemption disabled
 *     when it began, and for no other.  There are those that the waiter asks
 *     for, and those of the rest of the system, normal or expedited, which
 *     the callback and the cookie see.  The callback is queued again when it
 *     comes before the normal one that it needs;
 *   - that a reader's CPU may hold old values of what a writer wrote until it
 *     reads block after the release, or until a grace period that began after
 *     the release has ended.
 *
 * Not modelled:
 *   - other memory ordering: accesses are sequentially consistent.  The litmus
 *     tests of Documentation/litmus-tests/percpu-rwsem/ are about ordering;
 *   - the queue of waiters, its order and wake-ups that could be lost: who
 *     waits for a value goes on when it is there;
 *   - sequence numbers of grace periods.  A cookie is FRESH until a grace
 *     period begins, BEGUN until that one ends, then OVER; a queued callback
 *     likewise, and gp_normal, for normal ones only.  Grace periods that none
 *     of them sees change nothing, so they are left out;
 *   - freezing, tracing, trylock of readers (a down_read that gives up).
 *
 * A step is one access of what others look at without rss_lock, with all that
 * can be moved to it: taking rss_lock to the first such access, changes under
 * rss_lock and its release to the last.  preempt_disable() goes to the access
 * after it and preempt_enable() to the one before it, which makes the sections
 * that grace periods wait for shorter, so hides no error.
 *
 * BREAK_* each break one thing.
 */

/* kernel/rcu/sync.c; >= PASSED: readers use the slow path, writers may go */
#define IDLE	0
#define START	1
#define ENTER	2
#define PASSED	3
#define EXIT	4
#define REPLAY	5

/* of a cookie or callback */
#define NONE	0
#define FRESH	1
#define BEGUN	2
#define OVER	3

#define READERS	2
#define WRITERS	3

byte gp_state, gp_count;
bit rss_lock;

byte cookie;		/* gp_cookie: NONE when its memory is not in use */
byte cb;		/* cb_head: NONE when not queued */
byte gp_normal;		/* the normal grace period after the last exit */
bit expedited = 1;	/* until rcu_sync_dtor() */
bit func_runs;		/* the callback was taken from its queue, and runs */
byte barrier;		/* so many returns of it rcu_barrier() awaits */
bit freed;		/* rcu_sync_dtor() returned */

byte read_count[2];	/* one below 0 is 255, as the sum is modular */
bit block;

#define SUM	((read_count[0] + read_count[1]) & 255)

byte preempt_off;	/* readers (a bit each) with preemption disabled, */
byte gp_wants;		/* of them: whom the system's grace period awaits, */
byte exp_wants;		/* and whom the waiter's own */

/*
 * Expedited grace periods that this rcu_sync asked for, since a full normal
 * one: 0, 1, or 2 for one, and a normal one has begun.  The rule is that there
 * are not two without a normal one between them.
 */
byte exp_debt;
bit kind_normal;	/* the system's grace period is a normal one */

bit outer;		/* a lock that writers take inside or outside */
bit data[2];		/* written together, so always equal for readers */
bit writing;
byte reading;
byte stale;		/* readers (a bit each) who may not see all of data */
bit gp_clears;		/* the grace period began after the last release */
byte done;

#define BIT(i)	(1 << (i))

/* Its memory must not be the cookie of an entry, and not be queued. */
inline call_rcu_cb()
{
	assert(cb == NONE);
	assert(cookie == NONE);
	cb = FRESH
}

/* after the last exit */
inline call_rcu_normal()
{
	gp_normal = FRESH;
	call_rcu_cb()
}

inline snapshot()
{
	assert(cb == NONE);
	cookie = FRESH
}

inline rcu_sync_enter_start()
{
	if
	:: d_step {
		!rss_lock && gp_state == IDLE ->
		rss_lock = 1;
		assert(gp_count == 0);
#ifdef BREAK_COOKIE_EARLY
		snapshot()
#else
#ifdef BREAK_OWNER
		own = 1;
		gp_state = ENTER
#else
		gp_state = START
#endif
#endif
	   }
	   d_step {
#ifdef BREAK_COOKIE_EARLY
		gp_state = START;
#else
#ifdef BREAK_COOKIE_KEEP
		if
		:: cookie == NONE -> snapshot()
		:: else
		fi;
#else
		snapshot();
#endif
#endif
		gp_count++;
		rss_lock = 0
	   }
	:: d_step {
		!rss_lock && gp_state != IDLE ->
#ifdef BREAK_COOKIE_ALWAYS
		snapshot();
#endif
		gp_count++
	   }
	fi
}

inline rcu_sync_enter_finish()
{
#ifndef BREAK_OWNER
	d_step {
		!rss_lock ->
		assert(gp_count != 0);
		if
		:: gp_state == START ->
			gp_state = ENTER;
			own = 1
		:: else
		fi
	}
#endif
	if
	:: own ->
		/* cond_synchronize_rcu_expedited_full(&gp_cookie) */
#ifndef BREAK_NOGP
		if
		:: cookie == OVER
		:: d_step {
			cookie != OVER ->
			assert(cookie != NONE);
#ifndef NO_RULE
			/* not two without a normal one between them */
			assert(exp_debt == 0);
#endif
			exp_debt = 1;
			exp_wants = preempt_off
		   }
		fi;
#endif
		/* The grace period is over; rcu_sync_func() */
		d_step {
			exp_wants == 0 && !rss_lock ->
			assert(gp_state == ENTER && gp_count != 0);
			assert(!freed);
			own = 0;
			cookie = NONE;
			gp_state = PASSED
		}
	:: !own ->
		/* wait_event() */
		gp_state >= PASSED
	fi
}

inline rcu_sync_exit()
{
	if
	:: d_step {
		!rss_lock && (gp_count != 1 || gp_state != PASSED) ->
		assert(gp_state != IDLE);
		assert(gp_count != 0);
		gp_count--;
		if
		:: gp_count == 0 && gp_state == START ->
#ifdef BREAK_EXIT_START
			cookie = NONE;
			gp_state = EXIT;
			call_rcu_normal()
#else
#ifndef BREAK_EXIT_STAY
#ifndef BREAK_COOKIE_KEEP
			cookie = NONE;
#endif
			gp_state = IDLE
#endif
#endif
		:: gp_count == 0 && gp_state == ENTER ->
			assert(false)	/* the waiter holds a count */
#ifndef BREAK_REPLAY
		:: gp_count == 0 && gp_state == EXIT ->
			gp_state = REPLAY
#endif
		:: else
		fi
	   }
	:: d_step {
		!rss_lock && gp_count == 1 && gp_state == PASSED ->
		rss_lock = 1;
		gp_count = 0;
#ifdef BREAK_EXIT_IDLE
		gp_state = IDLE
#else
		gp_state = EXIT
#endif
	   }
	   d_step {
#ifndef BREAK_EXIT_IDLE
		call_rcu_normal();
#endif
		rss_lock = 0
	   }
	fi
}

/*
 * Grace periods of the rest of the system, and the callbacks they make ready.
 * A callback is ready after a normal grace period as well as after anybody's
 * expedited one (rcu_segcblist_advance()).
 */
active proctype rcu()
{
	bit again;

end:	do
	:: atomic {
		cookie == FRESH || cb == FRESH ->
		if
		:: kind_normal = 1
		:: kind_normal = 0
		fi;
		cookie = (cookie == FRESH -> BEGUN : cookie);
		cb = (cb == FRESH -> BEGUN : cb);
		gp_normal = (kind_normal && gp_normal == FRESH -> BEGUN : gp_normal);
		exp_debt = (kind_normal && exp_debt == 1 -> 2 : exp_debt);
		gp_clears = 1;
		gp_wants = preempt_off
	   }
	   d_step {
		gp_wants == 0 ->
		cookie = (cookie == BEGUN -> OVER : cookie);
		cb = (cb == BEGUN -> OVER : cb);
		gp_normal = (gp_normal == BEGUN -> OVER : gp_normal);
		exp_debt = (exp_debt == 2 -> 0 : exp_debt);
		kind_normal = 0;
		stale = (gp_clears -> 0 : stale);
		gp_clears = 0
	   }
	   if
	   :: cb == OVER ->
		/* rcu_do_batch() is through with cb_head when it calls */
		d_step {
			cb = NONE;
			func_runs = 1;
			assert(!freed)
		}
		/* rcu_sync_func() */
		d_step {
			!rss_lock ->
			assert(!freed);
			assert(gp_state == EXIT || gp_state == REPLAY);
			if
			:: gp_count != 0 ->
				gp_normal = NONE;
				gp_state = PASSED
			:: gp_count == 0 && gp_state == REPLAY ->
				gp_state = EXIT;
				gp_normal = FRESH;
				rss_lock = 1;
				again = 1
#ifndef BREAK_KIND
			:: gp_count == 0 && gp_state == EXIT && expedited &&
			   gp_normal != OVER ->
				rss_lock = 1;
				again = 1
#endif
			:: else ->
				gp_normal = NONE;
				gp_state = IDLE
			fi
		}
		if
		:: again ->
			d_step { call_rcu_cb(); rss_lock = 0; again = 0 }
		:: else
		fi;
		d_step {
			func_runs = 0;
			barrier = (barrier > 0 -> barrier - 1 : 0)
		}
	   :: else
	   fi
	od
}

inline outer_lock() { atomic { !outer -> outer = 1 } }

/* percpu_down_write() after its start, the section, percpu_up_write() */
inline write_section()
{
	rcu_sync_enter_finish();
	atomic { !block -> block = 1 };
	do
	:: sum = read_count[0];
	   if
	   :: d_step {
		((sum + read_count[1]) & 255) == 0 ->
		sum = 0;
		assert(!writing && reading == 0);
		writing = 1;
		data[0] = !data[0]
	      }
	      break
	   :: atomic {
		((sum + read_count[1]) & 255) != 0 ->
		sum = 0
	      }
	      SUM == 0		/* rcuwait_wait_event() */
	   fi
	od;
	atomic {
		assert(reading == 0);
		data[1] = !data[1];
		writing = 0;
		stale = BIT(READERS) - 1;
		gp_clears = 0;
		block = 0
	}
	rcu_sync_exit()
}

/* B: enters while it holds what A waits for; then once more, without */
active proctype writer_b()
{
	byte sum;
	bit own;

	outer_lock();
	rcu_sync_enter_start();
	write_section();
	outer = 0;

	rcu_sync_enter_start();
	write_section();
	done++
}

/* A: starts, then sleeps on the outer lock */
active proctype writer_a()
{
	byte sum;
	bit own;

	rcu_sync_enter_start();
	outer_lock();
	write_section();
	d_step { outer = 0; done++ }
}

/* C: starts, and perhaps does not want to any more */
active proctype writer_c()
{
	byte sum;
	bit own;

	rcu_sync_enter_start();
	if
#ifndef BREAK_OWNER	/* there an exit of the owner is another error */
	:: rcu_sync_exit()
#endif
	:: write_section()
	fi;
	done++
}

inline preempt_disable() { preempt_off = preempt_off | BIT(me) }

inline preempt_enable()
{
	preempt_off = preempt_off & ~BIT(me);
	gp_wants = gp_wants & ~BIT(me);
	exp_wants = exp_wants & ~BIT(me)
}

/* the read section begins */
inline read_first()
{
	assert(!writing);
	assert((stale & BIT(me)) == 0);
	seen = data[0];
	reading++
}

/*
 * It ends.  In percpu_up_read() the slow path differs from the fast one in
 * ordering and in waking the writer, so here not at all.
 */
inline read_last(cpu)
{
	assert(!writing && data[1] == seen);
	seen = 0;
	reading--;
	read_count[cpu]--
}

inline reader(id)
{
	me = id;
	if
	:: atomic { gp_state == IDLE -> preempt_disable() }
	   atomic { read_count[me]++; read_first(); preempt_enable() }
	:: atomic { gp_state != IDLE -> preempt_disable() }
	   do
	   :: read_count[me]++;
	      if
	      :: atomic {
			!block ->
			stale = stale & ~BIT(me);
			read_first();
			preempt_enable()
		 }
		 break
	      :: block ->
		 atomic { read_count[me]--; preempt_enable() }
		 /* on the queue, and then once more */
		 atomic { !block -> preempt_disable() }
	      fi
	   od
	fi;
	if
	:: atomic { true -> read_last(0) }
	:: atomic { true -> read_last(1) }
	fi
}

active proctype reader_0()
{
	byte me;
	bit seen;

	reader(0);
	done++
}

active proctype reader_1()
{
	byte me;
	bit seen;

	reader(1);
	done++
}

/* the owner of it all, when its users are gone */
active proctype rcu_sync_dtor()
{
	byte state;

	done == READERS + WRITERS;
	assert(SUM == 0);
	assert(gp_state != PASSED);
	d_step {
		!rss_lock ->
		assert(gp_count == 0);
#ifndef BREAK_DTOR_REPLAY
		gp_state = (gp_state == REPLAY -> EXIT : gp_state);
#endif
#ifndef BREAK_DTOR_EXPEDITED
		expedited = 0;
#endif
		state = gp_state
	}
	if
	:: state != IDLE ->
#ifndef BREAK_DTOR_BARRIER
		/*
		 * rcu_barrier() waits for the callback that is queued now,
		 * and the one that runs now, not for one queued meanwhile.
		 */
		barrier = (cb != NONE) + func_runs;
		barrier == 0;
		assert(gp_state == IDLE)
#endif
	:: else
	fi;
	freed = 1
}
