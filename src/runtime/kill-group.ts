/** Kills a process group at once; one that is already gone is fine. */
export function killGroup(leaderPid: number): void {
  try {
    process.kill(-leaderPid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
