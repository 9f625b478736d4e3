/** Leads from a view back to the list that it belongs to. */
import type { JSX } from 'preact';
import { linkBackTo, type linkTo } from '../router.ts';
import { Icon } from './icon.tsx';
import { ArrowLeft } from './icons.ts';

interface BackLinkProps {
  readonly to: Parameters<typeof linkTo>[0];
  readonly label: string;
}

export const BackLink = ({ to, label }: BackLinkProps): JSX.Element => (
  <p>
    <a class="back" href={linkBackTo(to)}>
      <Icon of={ArrowLeft} />
      {label}
    </a>
  </p>
);
