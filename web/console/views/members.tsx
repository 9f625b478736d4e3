/** The staff members with their roles: see and end their sessions, change a role, create a token, remove. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { change, deleteResource } from '../api/client.ts';
import type { Role, User } from '../api/resources.ts';
import { readMembers, readRoles } from '../api/staff.ts';
import { isOwner } from '../member.ts';
import { useTexts } from '../texts/dictionary.ts';
import { announce } from '../ui/announcer.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { Icon } from '../ui/icon.tsx';
import { KeyRound, UserCog, UserMinus } from '../ui/icons.ts';
import { inputValue } from '../ui/input-value.ts';
import { LoadMore } from '../ui/load-more.tsx';
import { Loaded } from '../ui/states.tsx';
import { Time } from '../ui/time.tsx';
import { usePages } from '../use-pages.ts';
import { useQuery } from '../use-query.ts';
import { Sessions } from './sessions.tsx';
import { NewToken, type StaffToken, TokenOnce } from './staff-token.tsx';

export const Members = ({ member: self }: { readonly member: User }): JSX.Element => {
  const query = usePages('members', readMembers);
  const roles = useQuery('roles', readRoles);
  const [token, setToken] = useState<StaffToken>();
  return (
    <>
      <TokenOnce token={token} onDismiss={() => setToken(undefined)} />
      <Loaded query={query}>
        {({ items, hasMore }) => (
          <>
            <ul class="panel cards flat">
              {items.map((member) => (
                <MemberCard
                  key={member.id}
                  member={member}
                  isSelf={member.id === self.id}
                  roles={roles.data?.assignable ?? []}
                  onToken={setToken}
                />
              ))}
            </ul>
            {hasMore && <LoadMore onLoad={query.loadMore} />}
          </>
        )}
      </Loaded>
    </>
  );
};

interface MemberCardProps {
  readonly member: User;
  readonly isSelf: boolean;
  /** The roles that can be assigned. */
  readonly roles: readonly Role[];
  readonly onToken: (token: StaffToken) => void;
}

const MemberCard = ({ member, isSelf, roles, onToken }: MemberCardProps): JSX.Element => {
  const { staff } = useTexts();
  return (
    <li class="card">
      <div class="title">
        <strong>{member.name}</strong>
        <span class="tag">{member.roles?.[0]?.name ?? staff.unknownRole}</span>
        {isSelf && <span class="tag">{staff.you}</span>}
        {!member.email_verified && <span class="tag">{staff.unverified}</span>}
      </div>
      <p class="quiet">
        {member.email} · {staff.joined} <Time at={member.created_at} /> · {staff.lastSeen}{' '}
        <Time at={member.last_seen} />
      </p>
      {/* The Owner cannot be changed by others, and members cannot change or remove themselves. */}
      {!isSelf && <SessionsOf member={member} canEnd={!isOwner(member)} />}
      {!isSelf && !isOwner(member) && <MemberActions member={member} roles={roles} onToken={onToken} />}
    </li>
  );
};

interface SessionsOfProps {
  readonly member: User;
  readonly canEnd: boolean;
}

/** They are read when they are opened. */
const SessionsOf = ({ member, canEnd }: SessionsOfProps): JSX.Element => {
  const { staff } = useTexts();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>
        {staff.sessionsOfMember}
        <span class="unseen">: {member.name}</span>
      </summary>
      {isOpen && (
        <Sessions path={`/admin/users/${member.id}/sessions/`} none={staff.noSessionsOf(member.name)} canEnd={canEnd} />
      )}
    </details>
  );
};

type Open = 'role' | 'token' | 'remove';

const MemberActions = ({ member, roles, onToken }: Omit<MemberCardProps, 'isSelf'>): JSX.Element => {
  const { staff } = useTexts();
  const [open, setOpen] = useState<Open>();
  const close = (): void => setOpen(undefined);
  const remove = async (): Promise<void> => {
    await deleteResource(`/admin/users/${member.id}/`);
    announce(staff.removed(member.name));
  };
  const ofWhom = <span class="unseen">: {member.name}</span>;
  return (
    <div class="actions">
      <wa-button size="s" appearance="outlined" onClick={() => setOpen('role')}>
        <Icon of={UserCog} slot="start" />
        {staff.changeRole}
        {ofWhom}
      </wa-button>
      <wa-button size="s" appearance="outlined" onClick={() => setOpen('token')}>
        <Icon of={KeyRound} slot="start" />
        {staff.newToken}
        {ofWhom}
      </wa-button>
      <wa-button size="s" appearance="outlined" variant="danger" onClick={() => setOpen('remove')}>
        <Icon of={UserMinus} slot="start" />
        {staff.removeMember}
        {ofWhom}
      </wa-button>
      {open === 'role' && <ChangeRole member={member} roles={roles} onClose={close} />}
      {open === 'token' && <NewToken member={member} onCreated={onToken} onClose={close} />}
      {open === 'remove' && (
        <Confirm
          label={staff.removeTitle(member.name)}
          action={staff.removeMember}
          isDangerous
          act={remove}
          onClose={close}
        >
          <p>{staff.removeHelp(member.name)}</p>
        </Confirm>
      )}
    </div>
  );
};

interface ChangeRoleProps {
  readonly member: User;
  readonly roles: readonly Role[];
  readonly onClose: () => void;
}

const ChangeRole = ({ member, roles, onClose }: ChangeRoleProps): JSX.Element => {
  const { frame, staff } = useTexts();
  const [id, setId] = useState(member.roles?.[0]?.id ?? '');
  const [isConfirmed, setIsConfirmed] = useState(false);
  const save = async (): Promise<void> => {
    await change('PUT', `/admin/users/${member.id}/`, {
      users: [{ roles: [{ id }], ...(isConfirmed && { confirm_unverified_email: true }) }],
    });
    announce(staff.roleChanged(member.name, roles.find((role) => role.id === id)?.name ?? ''));
  };
  return (
    <Confirm label={staff.roleOf(member.name)} action={frame.save} act={save} onClose={onClose}>
      <label class="field">
        <span>{staff.role}</span>
        <select value={id} onChange={(event) => setId(inputValue(event))}>
          {roles.map((role) => (
            <option key={role.id} value={role.id}>
              {role.name}
            </option>
          ))}
        </select>
      </label>
      {!member.email_verified && (
        <label class="check">
          <input
            type="checkbox"
            checked={isConfirmed}
            onChange={(event) => setIsConfirmed(event.currentTarget.checked)}
          />
          <span>{staff.confirmUnverified(member.name, member.email)}</span>
        </label>
      )}
    </Confirm>
  );
};
