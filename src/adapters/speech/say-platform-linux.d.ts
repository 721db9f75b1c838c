/** The part of the package `say` that speaks on Linux; its own declarations cover only the shared singleton. */
declare module 'say/platform/linux.js' {
  import type { ChildProcessWithoutNullStreams, SpawnOptionsWithoutStdio } from 'node:child_process';

  interface SpeakCommand {
    command: string;
    args: string[];
    pipedData: string;
    options: SpawnOptionsWithoutStdio;
  }

  class SayPlatformLinux {
    child: ChildProcessWithoutNullStreams | null;
    buildSpeakCommand(line: { text: string; voice: string | null; speed: number | null }): SpeakCommand;
    speak(
      text: string,
      voice: string | null,
      speed: number | null,
      callback: (error: Error | null) => void,
    ): void;
  }

  export = SayPlatformLinux;
}
