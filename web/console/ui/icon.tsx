/** Draws a Lucide icon. Assistive technology ignores it: an icon always stands by a text or in a labelled control. */
import type { JSX } from 'preact';
import type { IconPath } from './icons.ts';

export const Icon = ({ of, slot }: { readonly of: IconPath; readonly slot?: string }): JSX.Element => (
  <svg
    class="icon"
    aria-hidden="true"
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    stroke-width="2"
    stroke-linecap="round"
    stroke-linejoin="round"
    {...(slot !== undefined && { slot })}
  >
    <path d={of} />
  </svg>
);
