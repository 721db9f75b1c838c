import koffi from 'koffi';

/** RLIMIT_DATA of getrlimit(2), the same on x86-64 and ARM64. */
const RLIMIT_DATA = 2;

/** Sets the kernel's own ceiling on a process's data; false when the kernel does not let us. */
export type SetDataLimit = (pid: number, bytes: number) => boolean;

/**
 * prlimit(2), which Node does not offer. RLIMIT_DATA counts writable private memory only, so that the gigabytes of
 * addresses which V8 merely reserves are no obstacle, as they are with RLIMIT_AS.
 */
export function dataLimiter(): SetDataLimit {
  const prlimit = koffi
    .load('libc.so.6')
    .func('int prlimit(int pid, int resource, const uint64_t *limit, uint64_t *old)');
  return (pid, bytes) => {
    // Soft and hard: a worker cannot raise it again.
    const limit = BigUint64Array.of(BigInt(bytes), BigInt(bytes));
    const result: unknown = prlimit(pid, RLIMIT_DATA, limit, null);
    return result === 0;
  };
}
