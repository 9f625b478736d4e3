/** Staff: invitations, members, and the member's own access, each at its address and shown as the role allows. */
import type { JSX } from 'preact';
import type { User } from '../api/resources.ts';
import { canInvite, isAdministrator } from '../member.ts';
import { linkTo, type ViewProps } from '../router.ts';
import { useMember } from '../session.ts';
import { useTexts } from '../texts/dictionary.ts';
import { late } from '../ui/late.tsx';
import { Access } from './access.tsx';
import { Invitations } from './invitations.tsx';
import { Welcome } from './welcome.tsx';

const Audit = late(async () => (await import('./late-views.ts')).lateViews.Audit);
/** With the parser of pasted addresses. */
const Invite = late(async () => (await import('./late-views.ts')).lateViews.Invite);
const Members = late(async () => (await import('./late-views.ts')).lateViews.Members);

type Part = 'members' | 'invitations' | 'access' | 'audit';

const partsFor = (member: User): readonly Part[] => [
  ...(isAdministrator(member) ? (['members'] as const) : []),
  ...(canInvite(member) ? (['invitations'] as const) : []),
  'access',
  ...(isAdministrator(member) ? (['audit'] as const) : []),
];

export const Staff = ({ place }: ViewProps): JSX.Element | null => {
  const { frame, staff } = useTexts();
  const member = useMember();
  const [, wanted, detail] = place.parts;
  if (member === undefined) return null;
  const parts = partsFor(member);
  const current = parts.find((part) => part === wanted) ?? parts[0] ?? 'access';
  if (current === 'invitations' && detail === 'new') return <Invite member={member} />;
  return (
    <>
      <h1>{frame.views.staff}</h1>
      <nav class="parts" aria-label={staff.partsLabel}>
        {parts.map((part) => (
          <a key={part} href={linkTo(['staff', part])} {...(part === current && { 'aria-current': 'page' as const })}>
            {staff.parts[part]}
          </a>
        ))}
      </nav>
      {wanted === undefined && !isAdministrator(member) && <Welcome member={member} />}
      {current === 'invitations' && <Invitations status={place.query.status} />}
      {current === 'members' && <Members member={member} search={place.query.q ?? ''} />}
      {current === 'audit' && <Audit place={place} />}
      {current === 'access' && <Access member={member} />}
    </>
  );
};
