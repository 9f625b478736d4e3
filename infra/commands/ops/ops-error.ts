/** What went wrong with a command of whoever runs a stage, in words that say how to mend it. */
export class OpsError extends Error {
  override readonly name = 'OpsError';
}
