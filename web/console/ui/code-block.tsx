/** Shows code or a payload unchanged; a long one scrolls, also by keyboard. */
import type { JSX } from 'preact';

export const CodeBlock = ({ text }: { readonly text: string }): JSX.Element => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard (WCAG 2.1.1)
  <pre tabIndex={0}>
    <code>{text}</code>
  </pre>
);
