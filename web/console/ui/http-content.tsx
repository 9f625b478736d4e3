/** The headers and the body of a request or an answer. */
import type { JSX } from 'preact';
import { CodeBlock } from './code-block.tsx';

export const Headers = ({ of }: { readonly of: Readonly<Record<string, string>> }): JSX.Element => (
  <dl class="facts code">
    {Object.entries(of).map(([name, value]) => (
      <>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </>
    ))}
  </dl>
);

/** Indents JSON. Any other text, and a long body that was cut, is shown unchanged. */
export const Body = ({ text }: { readonly text: string }): JSX.Element => <CodeBlock text={indented(text)} />;

const indented = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
};
