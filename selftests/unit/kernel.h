/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the module uses of the kernel, so that its state machines run in user space, in one thread. A
 * test chooses the CPU that runs (this_cpu), the time (now_ns), and what each CPU does (cpus_do).
 * Per-CPU variables have a section of their own, of which each CPU has a copy, as in the kernel.
 */
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t u64;
typedef int64_t s64;
typedef uint32_t u32;
typedef int32_t s32;
typedef uint16_t u16;
typedef uint8_t u8;

#define NR_CPUS 4
#define CONFIG_X86_64 1
#define IS_ENABLED(option) (option)
#define CONFIG_PREEMPT_RT 0
#define CONFIG_UNWINDER_ORC 1
#define CONFIG_UNWINDER_FRAME_POINTER 0
#define U64_MAX UINT64_MAX
#define NSEC_PER_USEC 1000ULL
#define NSEC_PER_MSEC 1000000ULL
#define NSEC_PER_SEC 1000000000ULL
#define TICK_NSEC (4 * NSEC_PER_MSEC)
#define TASK_COMM_LEN 16
#define MAX_RT_PRIO 100

#define __percpu
#define __read_mostly
#define noinline __attribute__((noinline))
#define likely(x) (x)
#define unlikely(x) (x)
#define ____cacheline_aligned_in_smp
#define data_race(x) (x)
/* What another CPU does before an access to shared memory, once @accesses_left others are done */
static void (*at_access)(void);
static int accesses_left, this_cpu;
static void access_memory(void)
{
	void (*other)(void) = at_access;
	int cpu = this_cpu;

	if (!other || accesses_left--)
		return;
	at_access = NULL;
	other();
	this_cpu = cpu;
}

#define READ_ONCE(x) (access_memory(), *(const volatile __typeof__(x) *)&(x))
#define WRITE_ONCE(x, to) (access_memory(), *(volatile __typeof__(x) *)&(x) = (to))
#define barrier()
#define smp_mb() access_memory()
#define smp_wmb()
/* What another CPU does between two loads */
static void (*between_loads)(void);
#define smp_rmb() do { if (between_loads) between_loads(); } while (0)
#define smp_mb__before_atomic()
#define smp_load_acquire(p) READ_ONCE(*(p))
#define smp_store_release(p, to) WRITE_ONCE(*(p), to)
#define cmpxchg(p, from, to) \
	({ __typeof__(*(p)) was_ = READ_ONCE(*(p)); if (was_ == (from)) *(p) = (to); was_; })
#define xchg(p, to) ({ __typeof__(*(p)) was_ = READ_ONCE(*(p)); *(p) = (to); was_; })
#define BIT(n) (1UL << (n))
#define min(a, b) ({ __typeof__(a) a_ = (a); __typeof__(b) b_ = (b); a_ < b_ ? a_ : b_; })
#define max(a, b) ({ __typeof__(a) a_ = (a); __typeof__(b) b_ = (b); a_ > b_ ? a_ : b_; })
#define min_t(type, a, b) min((type)(a), (type)(b))
#define max_t(type, a, b) max((type)(a), (type)(b))
#define container_of(p, type, member) ((type *)((char *)(p) - offsetof(type, member)))
#define lockdep_assert_irqs_disabled()
#define local_irq_save(flags) ((flags) = 0)
#define local_irq_restore(flags) ((void)(flags))
#define cond_resched()

static inline bool test_bit(int n, const unsigned long *word) { return *word >> n & 1; }
static inline void __set_bit(int n, unsigned long *word) { *word |= BIT(n); }
static inline void __clear_bit(int n, unsigned long *word) { *word &= ~BIT(n); }
static inline void __assign_bit(int n, unsigned long *word, bool to)
{
	*word = (*word & ~BIT(n)) | (unsigned long)to << n;
}

static inline bool test_and_set_bit_lock(int n, unsigned long *word)
{
	bool was = test_bit(n, word);

	*word |= BIT(n);
	return was;
}

#define clear_bit_unlock(n, word) __clear_bit(n, word)
#define for_each_set_bit(i, word, size) \
	for ((i) = 0; (i) < (size); (i)++) if (*(word) >> (i) & 1)
static inline int fls64(u64 x) { return x ? 64 - __builtin_clzll(x) : 0; }
static inline int fls(u32 x) { return x ? 32 - __builtin_clz(x) : 0; }
static inline int ilog2(u64 x) { return 63 - __builtin_clzll(x); }
static inline u64 div_u64(u64 a, u32 b) { return a / b; }
static inline u64 div64_u64(u64 a, u64 b) { return a / b; }
static inline u64 div_u64_rem(u64 a, u32 b, u32 *rem) { *rem = a % b; return a / b; }
#define strscpy(to, from, size) snprintf(to, size, "%s", from)

typedef struct { s64 counter; } atomic64_t;
typedef struct { int counter; } atomic_t;
#define atomic64_read(a) ((a)->counter)
#define atomic64_read_acquire(a) ((a)->counter)
#define atomic64_set(a, to) ((a)->counter = (to))
#define atomic64_set_release(a, to) ((a)->counter = (to))
#define atomic64_inc(a) ((a)->counter++)
#define atomic64_inc_return(a) (++(a)->counter)
#define atomic64_cmpxchg(a, from, to) cmpxchg(&(a)->counter, from, to)
#define atomic_read(a) ((a)->counter)
#define atomic_inc(a) ((a)->counter++)
#define atomic_add(n, a) ((a)->counter += (n))
#define atomic_set(a, to) ((a)->counter = (to))

typedef struct { unsigned int sequence; } seqcount_t;
#define raw_write_seqcount_begin(s) ((s)->sequence++)
#define raw_write_seqcount_end(s) ((s)->sequence++)
#define raw_read_seqcount(s) ((s)->sequence)
#define read_seqcount_retry(s, seq) ((s)->sequence != (seq))
#define hash_ptr(p, bits) ((unsigned int)((unsigned long)(p) * 0x61c8864680b583ebUL >> (64 - (bits))))

/* Per-CPU variables: the linker names the begin and the end of a section. */
extern char __start_percpu[], __stop_percpu[];
static char *percpu_copies[NR_CPUS];
#define PERCPU __attribute__((section("percpu")))
#define DEFINE_PER_CPU(type, name) PERCPU __typeof__(type) name
#define DEFINE_PER_CPU_ALIGNED(type, name) DEFINE_PER_CPU(type, name)
#define DECLARE_PER_CPU(type, name) extern __typeof__(type) name
#define DECLARE_PER_CPU_ALIGNED(type, name) DECLARE_PER_CPU(type, name)
#define per_cpu_ptr(p, cpu) \
	((__typeof__(*(p)) *)((char *)(p) - __start_percpu + percpu_copies[cpu]))
#define this_cpu_ptr(p) per_cpu_ptr(p, this_cpu)
#define per_cpu(name, cpu) (*per_cpu_ptr(&(name), cpu))
#define this_cpu_read(name) per_cpu(name, this_cpu)
#define __this_cpu_read(name) per_cpu(name, this_cpu)
#define __this_cpu_write(name, to) (per_cpu(name, this_cpu) = (to))
#define smp_processor_id() this_cpu
#define num_possible_cpus() NR_CPUS
#define for_each_possible_cpu(cpu) for ((cpu) = 0; (cpu) < NR_CPUS; (cpu)++)
#define for_each_online_cpu(cpu) for_each_possible_cpu(cpu)

static PERCPU char percpu_area[1 << 18];
static size_t percpu_used;
#define alloc_percpu(type) ((type *)(percpu_area + (percpu_used += sizeof(type) + 64) - sizeof(type)))
#define free_percpu(p)

static void percpu_init(void)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		percpu_copies[cpu] = malloc(__stop_percpu - __start_percpu);
		memcpy(percpu_copies[cpu], __start_percpu, __stop_percpu - __start_percpu);
	}
}

/* Tasks, and what a CPU does */
struct task_struct {
	int pid, tgid, prio, flags;
	unsigned long nvcsw, nivcsw;
	char comm[TASK_COMM_LEN];
	bool running;
};

struct pt_regs {
	unsigned long r15, r14, r13, r12, bp, bx, r11, r10, r9, r8, ax, cx, dx, si, di, cs, ip, sp;
	bool irqs_off;
	bool user;
};

static struct {
	struct task_struct *task;
	struct task_struct idle;
	bool in_softirq;	/* a softirq handler runs */
	bool bh_off;
	bool resched;
	u32 pending;
	bool ipi_waits;
	bool polls;		/* the idle task */
	struct pt_regs regs;	/* of the interrupted context */
	u64 idle_seq;		/* odd: the CPU is not idle */
} cpus_do[NR_CPUS];

static u64 now_ns;
static bool idle_now = true;	/* a kernel of 6.0 or later */
#define current (cpus_do[this_cpu].task)
#define is_idle_task(task) ((task) == &cpus_do[this_cpu].idle)
#define task_pid_nr(task) ((task)->pid)
#define task_tgid_nr(task) ((task)->tgid)
#define SOFTIRQ_OFFSET 0x100
#define HARDIRQ_OFFSET 0x10000
#define PREEMPT_MASK 0xff
#define softirq_count() \
	(cpus_do[this_cpu].in_softirq * SOFTIRQ_OFFSET + cpus_do[this_cpu].bh_off * 2 * SOFTIRQ_OFFSET)
#define in_serving_softirq() (softirq_count() & SOFTIRQ_OFFSET)
#define hardirq_count() HARDIRQ_OFFSET
#define preempt_count() (HARDIRQ_OFFSET + softirq_count())
#define need_resched() (cpus_do[this_cpu].resched)
#define local_softirq_pending() (cpus_do[this_cpu].pending)
#define get_irq_regs() (&cpus_do[this_cpu].regs)
#define user_mode(regs) ((regs)->user)
#define regs_get_kernel_argument(regs, n) 0UL
#define stack_trace_save(entries, nr, skip) 0
#define ktime_get_ns() now_ns
#define ktime_get_mono_fast_ns() now_ns
#define sched_clock() now_ns
#define ktime_mono_to_real(t) (t)
#define ktime_to_ns(t) (t)
#define ns_to_ktime(ns) (ns)

enum { HI_SOFTIRQ, TIMER_SOFTIRQ, NET_TX_SOFTIRQ, NET_RX_SOFTIRQ, BLOCK_SOFTIRQ, IRQ_POLL_SOFTIRQ,
	TASKLET_SOFTIRQ, SCHED_SOFTIRQ, HRTIMER_SOFTIRQ, RCU_SOFTIRQ, NR_SOFTIRQS };
struct kernel_stat { unsigned long irqs_sum; unsigned int softirqs[NR_SOFTIRQS]; };
enum { CPUTIME_STEAL, NR_CPUTIMES };
struct kernel_cpustat { u64 cpustat[NR_CPUTIMES]; };
static PERCPU struct kernel_stat kstat;
static PERCPU struct kernel_cpustat kernel_cpustat;
#define kcpustat_cpu(cpu) per_cpu(kernel_cpustat, cpu)

/* Timers */
enum hrtimer_restart { HRTIMER_NORESTART, HRTIMER_RESTART };
struct hrtimer { enum hrtimer_restart (*fn)(struct hrtimer *timer); bool queued; u64 expires; };
#define hrtimer_start(timer, at, mode) ((timer)->queued = true, (timer)->expires = (at))
#define hrtimer_is_queued(timer) ((timer)->queued)
#define hrtimer_get_expires(timer) ((timer)->expires)
#define hrtimer_set_expires(timer, at) ((timer)->expires = (at))
#define hrtimer_cancel(timer) ((timer)->queued = false)

/* What no test needs */
struct mutex { int unused; };
struct work_struct { int unused; };
struct irq_work { int unused; };
struct wait_queue_head { int unused; };
struct cpumask;
typedef struct { int unused; } raw_spinlock_t;
#define raw_spin_lock_init(lock)
#define raw_spin_lock(lock)
#define raw_spin_trylock(lock) true
#define raw_spin_unlock(lock)
#define housekeeping_test_cpu(cpu, type) true
#define cpu_to_node(cpu) 0
#define kzalloc_node(size, flags, node) calloc(1, size)
#define kfree(p) free(p)
#define BUILD_BUG_ON(wrong) _Static_assert(!(wrong), "")
#define BITS_PER_LONG 64
#define DEFINE_MUTEX(name) struct mutex name
#define mutex_lock(mutex)
#define mutex_unlock(mutex)
#define DECLARE_WAIT_QUEUE_HEAD(name) struct wait_queue_head name
#define DECLARE_WORK(name, fn) struct work_struct name
#define wake_up_interruptible_poll(queue, events)
#define wq_has_sleeper(queue) false
#define queue_work(queue, work)
#define irq_work_queue(work)
#define irq_work_sync(work)
#define flush_work(work)
#define try_module_get(module) true
#define module_put(module)
#define usleep_range(from, to)
#define msleep(ms)
#define pr_notice(...)
#define vzalloc(size) calloc(1, size)
#define array_size(n, size) ((n) * (size))
#define vfree(p) free(p)
#define rcu_read_lock()
#define rcu_read_unlock()
#define PF_KTHREAD 1
#define for_each_process(task) for ((task) = NULL; (task); )
#define str_has_prefix(text, prefix) 0
#define kstrtouint(text, base, to) (*(to) = 0, -EINVAL)
#define nr_cpu_ids NR_CPUS
#define cpu_possible(cpu) ((cpu) < NR_CPUS)
#define cpu_active(cpu) true
#define in_nmi() false
#define get_task_struct(task) (task)
#define put_task_struct(task) ((void)(task))
