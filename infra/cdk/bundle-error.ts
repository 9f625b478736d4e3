/** The error for code that cannot be bundled. In its own file, so that nobody loads the bundler to recognise it. */
/** A function does not compile; the message names the place. */
export class BundleError extends Error {
  override readonly name = 'BundleError';
}
