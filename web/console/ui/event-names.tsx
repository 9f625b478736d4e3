/** The events of a webhook: each name and pattern, or the first ones where there is little room. */
import type { JSX } from 'preact';
import { namesIn } from '../../../shared/foundation/event-selection.ts';

interface EventNamesProps {
  readonly of: string;
  /** How many names are shown; the others are counted. */
  readonly max?: number;
}

export const EventNames = ({ of, max = Number.POSITIVE_INFINITY }: EventNamesProps): JSX.Element => {
  const names = namesIn(of);
  const shown = names.length > max ? names.slice(0, max) : names;
  return (
    <span class="names" title={names.length > max ? names.join(', ') : ''}>
      {shown.map((name) => (
        <code key={name}>{name.split(/(?<=\.)/).flatMap((part) => [part, <wbr key={part} />])}</code>
      ))}
      {names.length > max && <span class="quiet">+{names.length - max}</span>}
    </span>
  );
};
