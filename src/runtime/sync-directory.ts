import { type FileHandle, open } from 'node:fs/promises';

/** Makes sure that the names in a directory survive a power cut, as `fsync` of a file does for what is in it. */
export async function syncDirectory(directory: string): Promise<void> {
  await syncAndClose(await open(directory, 'r'));
}

/** Closed in any case. */
export async function syncAndClose(handle: FileHandle): Promise<void> {
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
