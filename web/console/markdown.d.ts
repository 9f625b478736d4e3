/** A guide of `docs/`, which the build includes as text. */
declare module '*.md' {
  const text: string;
  export default text;
}
