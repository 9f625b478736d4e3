/** The exit codes of every command, and errors that carry one. docs/cli.md documents them for scripts. */

export const exitCodes = {
  done: 0,
  /** The command failed, or the API refused. */
  failed: 1,
  /** Unknown command or option, or an invalid value: nothing was done. */
  usage: 2,
  /** The stage cannot be reached or is busy, so the command can be run again later. */
  unavailable: 3,
  /** Ctrl-C ended it before it was done. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly exitCode = exitCodes.usage;
}

/** Returns the exit code that an error carries; `failed` for all others. */
export const exitCodeOf = (error: unknown): ExitCode => {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'exitCode') : undefined;
  return Object.values(exitCodes).find((known) => known === code) ?? exitCodes.failed;
};
