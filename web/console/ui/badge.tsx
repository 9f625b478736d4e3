/** Shows a state as an icon, a colour and a word, so that nobody depends on one of them. */
import type { JSX } from 'preact';
import { Icon } from './icon.tsx';
import type { IconPath } from './icons.ts';

type Tone = 'good' | 'bad' | 'warn' | 'calm';

export interface Look {
  readonly icon: IconPath;
  readonly tone: Tone;
}

interface BadgeProps {
  readonly look: Look;
  readonly word: string;
  readonly help?: string;
}

export const Badge = ({ look: { icon, tone }, word, help }: BadgeProps): JSX.Element => (
  <span class={`status ${tone}`} title={help}>
    <Icon of={icon} />
    {word}
  </span>
);
