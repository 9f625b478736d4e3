/** The code with which a receiver verifies deliveries, from the receiving guide, in five languages. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useTexts } from '../texts/dictionary.ts';
import { CodeBlock } from '../ui/code-block.tsx';
import { Copy } from '../ui/copy.tsx';
import { inputValue } from '../ui/input-value.ts';
import { Loaded } from '../ui/states.tsx';
import { useQuery } from '../use-query.ts';

const languages = ['Node.js', 'Python', 'Go', 'PHP', 'Ruby'];

/** Returns the first block of code below the guide's heading of a language. */
const codeFor = (guide: string, language: string): string => {
  const [, section = ''] = guide.split(`\n### ${language}\n`, 2);
  return /```\w*\n([\s\S]*?)\n```/.exec(section)?.[1] ?? '';
};

const readGuide = async (): Promise<string> => (await import('../../../docs/receiving.md')).default;

export const Snippet = (): JSX.Element => {
  const { webhooks } = useTexts();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details class="panel" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>{webhooks.verify}</summary>
      {isOpen && <Code />}
    </details>
  );
};

const Code = (): JSX.Element => {
  const { webhooks } = useTexts();
  const [language, setLanguage] = useState(languages[0] ?? '');
  const guide = useQuery('receiving', readGuide);
  return (
    <Loaded query={guide}>
      {(text) => (
        <div class="snippet">
          <p>{webhooks.verifyHelp}</p>
          <div class="actions">
            <label class="field">
              <span>{webhooks.languageOfCode}</span>
              <select value={language} onChange={(event) => setLanguage(inputValue(event))}>
                {languages.map((one) => (
                  <option key={one}>{one}</option>
                ))}
              </select>
            </label>
            <Copy text={codeFor(text, language)} label={webhooks.copyCode} />
          </div>
          <CodeBlock text={codeFor(text, language)} />
        </div>
      )}
    </Loaded>
  );
};
