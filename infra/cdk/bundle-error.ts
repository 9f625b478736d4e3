/** The error for code that cannot be bundled. In its own file, so that it can be recognised without loading the bundler. */
/** A function does not compile; the message names the place. */
export class BundleError extends Error {
  override readonly name = 'BundleError';
}
