/** The staff members as a table, with search and invitation, and a menu for each: role, address, removal, … */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { change, deleteResource } from '../api/client.ts';
import type { Role, User } from '../api/resources.ts';
import { readMembers, readRoles } from '../api/staff.ts';
import { lastUse } from '../distance.ts';
import { isOwner } from '../member.ts';
import { linkTo, replaceWith } from '../router.ts';
import { resume } from '../session.ts';
import { useTexts } from '../texts/dictionary.ts';
import { announce } from '../ui/announcer.tsx';
import { Confirm, Dialog } from '../ui/dialog.tsx';
import { DownloadCsv } from '../ui/download-csv.tsx';
import { Icon } from '../ui/icon.tsx';
import { Ban, Check, KeyRound, Mail, MonitorSmartphone, UserCog, UserMinus, UserPlus, Users } from '../ui/icons.ts';
import { inputValue } from '../ui/input-value.ts';
import { RolePicker } from '../ui/role-picker.tsx';
import { type MenuItem, RowMenu } from '../ui/row-menu.tsx';
import { Empty, Loaded } from '../ui/states.tsx';
import { Table } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import { readPages } from '../use-pages.ts';
import { useQuery } from '../use-query.ts';
import { ChangeAddress } from './change-address.tsx';
import { Sessions } from './sessions.tsx';
import { NewToken, type StaffToken, TokenOnce } from './staff-token.tsx';

/** All members are read (up to 2,000), so that they can be sorted and searched. */
const maxPages = 20;

type Action = 'role' | 'address' | 'owner' | 'sessions' | 'token' | 'suspend' | 'activate' | 'remove';

interface MembersProps {
  readonly member: User;
  readonly search: string;
}

export const Members = ({ member: self, search }: MembersProps): JSX.Element => {
  const { staff } = useTexts();
  const query = useQuery('members', (signal) => readPages(readMembers, maxPages, signal));
  const roles = useQuery('roles', readRoles);
  const [token, setToken] = useState<StaffToken>();
  const [open, setOpen] = useState<{ readonly member: User; readonly action: Action }>();
  const close = (): void => setOpen(undefined);
  return (
    <>
      <div class="title">
        <label class="field">
          <span>{staff.searchMembers}</span>
          <input
            type="search"
            value={search}
            onInput={(event) => replaceWith(['staff', 'members'], { q: inputValue(event) })}
          />
        </label>
        <span class="at-end">
          <DownloadCsv name="staff" read={readMembers} />
        </span>
        <wa-button size="s" variant="brand" href={linkTo(['staff', 'invitations', 'new'])}>
          <Icon of={UserPlus} slot="start" />
          {staff.invite}
        </wa-button>
      </div>
      <TokenOnce token={token} onDismiss={() => setToken(undefined)} />
      <Loaded query={query}>
        {({ items }) => {
          const shown = sorted(items.filter((member) => matches(member, search, staff.roleName(roleOf(member)))));
          return shown.length === 0 ? (
            <Empty icon={Users} title={staff.noMember} />
          ) : (
            <MemberTable members={shown} self={self} onChoose={setOpen} />
          );
        }}
      </Loaded>
      {open?.action === 'role' && (
        <ChangeRole member={open.member} roles={roles.data?.assignable ?? []} onClose={close} />
      )}
      {open?.action === 'address' && <ChangeAddress member={open.member} onClose={close} />}
      {open?.action === 'owner' && <HandOver member={open.member} onClose={close} />}
      {open?.action === 'token' && <NewToken member={open.member} onCreated={setToken} onClose={close} />}
      {open?.action === 'sessions' && <SessionsOf member={open.member} onClose={close} />}
      {(open?.action === 'suspend' || open?.action === 'activate') && (
        <ChangeStatus member={open.member} status={statusAfter[open.action]} onClose={close} />
      )}
      {open?.action === 'remove' && <Remove member={open.member} onClose={close} />}
    </>
  );
};

const statusAfter = { suspend: 'inactive', activate: 'active' } as const;

const roleOf = ({ roles }: User): string | undefined => roles?.[0]?.name;

const matches = (member: User, search: string, shownRole: string): boolean =>
  [member.name, member.email, roleOf(member), shownRole].some((text) =>
    text?.toLowerCase().includes(search.trim().toLowerCase()),
  );

const sorted = (members: readonly User[]): readonly User[] =>
  members.toSorted((a, b) => a.name.localeCompare(b.name) || a.email.localeCompare(b.email));

interface MemberTableProps {
  readonly members: readonly User[];
  readonly self: User;
  readonly onChoose: (chosen: { readonly member: User; readonly action: Action }) => void;
}

const MemberTable = ({ members, self, onChoose }: MemberTableProps): JSX.Element => {
  const { staff } = useTexts();
  return (
    <Table
      label={staff.parts.members}
      items={members}
      columns={[
        {
          title: staff.memberName,
          cell: (member) => (
            <>
              <strong>{member.name}</strong> {member.id === self.id && <span class="tag">{staff.you}</span>}{' '}
              {!member.email_verified && <span class="tag">{staff.unverified}</span>}{' '}
              {member.status === 'inactive' && <span class="tag">{staff.suspended}</span>}
              <br />
              <span class="quiet">{member.email}</span>
            </>
          ),
        },
        { title: staff.role, cell: (member) => staff.roleName(roleOf(member)) },
        { title: staff.joined, cell: (member) => <Time at={member.created_at} /> },
        { title: staff.lastSeen, cell: (member) => <Time at={lastUse(member.created_at, member.last_seen)} /> },
        {
          title: staff.actions,
          isMenu: true,
          cell: (member) => (
            <MemberMenu member={member} self={self} onChoose={(action) => onChoose({ member, action })} />
          ),
        },
      ]}
    />
  );
};

interface MemberMenuProps {
  readonly member: User;
  readonly self: User;
  readonly onChoose: (action: Action) => void;
}

/** Others cannot change the Owner, and members cannot change or remove themselves. */
const MemberMenu = ({ member, self, onChoose }: MemberMenuProps): JSX.Element | null => {
  const { staff } = useTexts();
  if (member.id === self.id) return <a href={linkTo(['staff', 'access'])}>{staff.parts.access}</a>;
  const sessions: MenuItem<Action> = { name: 'sessions', label: staff.sessionsOfMember, icon: MonitorSmartphone };
  const items: readonly MenuItem<Action>[] = isOwner(member)
    ? [sessions]
    : [
        { name: 'role', label: staff.changeRole, icon: UserCog },
        { name: 'address', label: staff.changeAddress, icon: Mail },
        ...(isOwner(self) && canOwn(member)
          ? [{ name: 'owner', label: staff.handOver, icon: UserCog, isDangerous: true } as const]
          : []),
        sessions,
        { name: 'token', label: staff.newToken, icon: KeyRound },
        member.status === 'active'
          ? { name: 'suspend', label: staff.suspend, icon: Ban }
          : { name: 'activate', label: staff.activate, icon: Check },
        { name: 'remove', label: staff.removeMember, icon: UserMinus, isDangerous: true },
      ];
  return <RowMenu of={member.name} items={items} onChoose={onChoose} />;
};

const canOwn = (member: User): boolean =>
  roleOf(member) === 'Administrator' && member.status === 'active' && member.email_verified;

interface OpenProps {
  readonly member: User;
  readonly onClose: () => void;
}

const SessionsOf = ({ member, onClose }: OpenProps): JSX.Element => {
  const { staff } = useTexts();
  return (
    <Dialog label={staff.sessionsTitle(member.name)} onClose={onClose}>
      <Sessions
        path={`/admin/users/${member.id}/sessions/`}
        none={staff.noSessionsOf(member.name)}
        canEnd={!isOwner(member)}
      />
    </Dialog>
  );
};

interface ChangeStatusProps extends OpenProps {
  readonly status: User['status'];
}

const ChangeStatus = ({ member, status, onClose }: ChangeStatusProps): JSX.Element => {
  const { staff } = useTexts();
  const { title, action, help, done } = staff.statusChange[status];
  const save = async (): Promise<void> => {
    await change('PUT', `/admin/users/${member.id}/`, { users: [{ status }] });
    announce(done(member.name));
  };
  return (
    <Confirm
      label={title(member.name)}
      action={action}
      isDangerous={status === 'inactive'}
      act={save}
      onClose={onClose}
    >
      <p>{help(member.name)}</p>
    </Confirm>
  );
};

const HandOver = ({ member, onClose }: OpenProps): JSX.Element => {
  const { staff } = useTexts();
  const handOver = async (): Promise<void> => {
    await change('PUT', '/admin/users/owner/', { owner: [{ id: member.id }] });
    announce(staff.handedOver(member.name));
    // The member who is signed in has another role.
    await resume();
  };
  return (
    <Confirm
      label={staff.handOverTitle(member.name)}
      action={staff.handOver}
      isDangerous
      act={handOver}
      onClose={onClose}
    >
      <p>{staff.handOverHelp(member.name)}</p>
    </Confirm>
  );
};

const Remove = ({ member, onClose }: OpenProps): JSX.Element => {
  const { staff } = useTexts();
  const remove = async (): Promise<void> => {
    await deleteResource(`/admin/users/${member.id}/`);
    announce(staff.removed(member.name));
  };
  return (
    <Confirm
      label={staff.removeTitle(member.name)}
      action={staff.removeMember}
      isDangerous
      act={remove}
      onClose={onClose}
    >
      <p>{staff.removeHelp(member.name)}</p>
    </Confirm>
  );
};

interface ChangeRoleProps extends OpenProps {
  readonly roles: readonly Role[];
}

const ChangeRole = ({ member, roles, onClose }: ChangeRoleProps): JSX.Element => {
  const { frame, staff } = useTexts();
  const [id, setId] = useState(member.roles?.[0]?.id ?? '');
  const [isConfirmed, setIsConfirmed] = useState(false);
  const save = async (): Promise<void> => {
    await change('PUT', `/admin/users/${member.id}/`, {
      users: [{ roles: [{ id }], ...(isConfirmed && { confirm_unverified_email: true }) }],
    });
    announce(staff.roleChanged(member.name, staff.roleName(roles.find((role) => role.id === id)?.name)));
  };
  return (
    <Confirm label={staff.roleOf(member.name)} action={frame.save} act={save} onClose={onClose}>
      <RolePicker roles={roles} value={id} onPick={setId} />
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
