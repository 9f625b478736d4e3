/** The error of code that cannot be bundled; apart from the bundler, so that it can be recognised without loading that. */
/** A function does not compile; the message names the place. */
export class BundleError extends Error {
  override readonly name = 'BundleError';
}
