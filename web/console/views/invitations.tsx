/** Lists the invitations by status, newest first, each with its history and its actions. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { change, deleteResource } from '../api/client.ts';
import { type Invite, type InviteState, type Roles, readInvites, readRoles } from '../api/staff.ts';
import { isAdministrator } from '../member.ts';
import { linkTo, replaceWith } from '../router.ts';
import { useMember } from '../session.ts';
import { useTexts } from '../texts/dictionary.ts';
import { announce } from '../ui/announcer.tsx';
import { Choice } from '../ui/choice.tsx';
import { Confirm, Dialog } from '../ui/dialog.tsx';
import { DownloadCsv } from '../ui/download-csv.tsx';
import { Icon } from '../ui/icon.tsx';
import { Ban, Clock, Link, MailPlus, UserPlus } from '../ui/icons.ts';
import { InviteStatus } from '../ui/invite-status.tsx';
import { LoadMore } from '../ui/load-more.tsx';
import { type MenuItem, RowMenu } from '../ui/row-menu.tsx';
import { ShownOnce } from '../ui/shown-once.tsx';
import { Empty, Loaded, Problem } from '../ui/states.tsx';
import { Table } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import { useAction } from '../use-action.ts';
import { usePages } from '../use-pages.ts';
import { useQuery } from '../use-query.ts';

interface InvitationsProps {
  /** From the address, so it may be any text. */
  readonly status: string | undefined;
}

export const Invitations = ({ status: wanted }: InvitationsProps): JSX.Element => {
  const { staff } = useTexts();
  const states = Object.keys(staff.states) as InviteState[];
  const status = states.find((state) => state === wanted);
  const query = usePages(`invites ${status}`, (cursor, signal) => readInvites(status, cursor, signal), 5000);
  const roles = useQuery('roles', readRoles);
  const [created, setCreated] = useState<Invite>();
  return (
    <>
      <div class="title">
        <Choice
          label={staff.status}
          any={staff.anyStatus}
          value={status}
          options={states.map((state) => [state, staff.states[state]])}
          onChoose={(value) => replaceWith(['staff', 'invitations'], { status: value })}
        />
        <div class="actions at-end">
          <DownloadCsv name="invitations" read={(cursor, signal) => readInvites(status, cursor, signal)} />
          <wa-button size="s" variant="brand" href={linkTo(['staff', 'invitations', 'new'])}>
            <Icon of={UserPlus} slot="start" />
            {staff.invite}
          </wa-button>
        </div>
      </div>
      {created?.link !== undefined && (
        <ShownOnce
          title={staff.linkFor(created.email)}
          secret={created.link}
          copy={staff.copyLink}
          onDismiss={() => setCreated(undefined)}
        />
      )}
      <Loaded query={query}>
        {({ items, hasMore }) => (
          <>
            {items.length === 0 && !hasMore && <NoInvites isFiltered={status !== undefined} />}
            {items.length > 0 && <InviteTable invites={items} roles={roles.data} onLink={setCreated} />}
            {hasMore && <LoadMore onLoad={query.loadMore} />}
          </>
        )}
      </Loaded>
    </>
  );
};

const NoInvites = ({ isFiltered }: { readonly isFiltered: boolean }): JSX.Element => {
  const { staff } = useTexts();
  return isFiltered ? (
    <Empty icon={MailPlus} title={staff.noInvitesMatch}>
      <a href={linkTo(['staff', 'invitations'])}>{staff.showAll}</a>
    </Empty>
  ) : (
    <Empty icon={MailPlus} title={staff.noInvites}>
      <p>{staff.noInvitesHelp}</p>
    </Empty>
  );
};

interface InviteTableProps {
  readonly invites: readonly Invite[];
  readonly roles: Roles | undefined;
  readonly onLink: (invite: Invite) => void;
}

type Action = 'resend' | 'history' | 'link' | 'revoke';

const openStates: readonly Invite['status'][] = ['pending', 'sent', 'bounced', 'complained'];

const InviteTable = ({ invites, roles, onLink }: InviteTableProps): JSX.Element => {
  const { staff } = useTexts();
  const [open, setOpen] = useState<{ readonly invite: Invite; readonly action: Action }>();
  const close = (): void => setOpen(undefined);
  const [resending, setResending] = useState<Invite>();
  const resend = useAction(async () => {
    if (resending === undefined) return;
    await change('POST', `/admin/invites/${resending.id}/resend/`);
    announce(staff.resent(resending.email));
  });
  // Only once it is known which one.
  useEffect(() => {
    if (resending !== undefined) resend.run();
  }, [resending]);
  const choose = (invite: Invite, action: Action): void =>
    action === 'resend' ? setResending({ ...invite }) : setOpen({ invite, action });
  return (
    <>
      {resend.error !== undefined && <Problem error={resend.error} />}
      <Table
        label={staff.parts.invitations}
        items={invites}
        columns={[
          { title: staff.columns.address, cell: ({ email }) => <strong>{email}</strong> },
          { title: staff.role, cell: ({ role_id }) => roles && staff.roleName(roles.all.get(role_id)?.name) },
          { title: staff.status, cell: (invite) => <StatusWithReason {...invite} /> },
          { title: staff.created, cell: ({ created_at }) => <Time at={created_at} /> },
          {
            title: staff.expires,
            cell: ({ status, expires }) =>
              openStates.includes(status) ? <Time at={new Date(expires).toISOString()} /> : '–',
          },
          {
            title: staff.actions,
            isMenu: true,
            cell: (invite) => (
              <InviteMenu invite={invite} roles={roles} onChoose={(action) => choose(invite, action)} />
            ),
          },
        ]}
      />
      {open?.action === 'history' && (
        <Dialog label={staff.historyOf(open.invite.email)} onClose={close}>
          <History invite={invites.find(({ id }) => id === open.invite.id) ?? open.invite} />
        </Dialog>
      )}
      {open?.action === 'link' && <NewLink invite={open.invite} onLink={onLink} onClose={close} />}
      {open?.action === 'revoke' && <Revoke invite={open.invite} onClose={close} />}
    </>
  );
};

/** Why a mail did not arrive is what people look for. */
const StatusWithReason = ({ status, history = [] }: Invite): JSX.Element => {
  const reason = history.at(-1)?.reason;
  return (
    <>
      <InviteStatus state={status} />
      {reason && <p class="quiet">{reason}</p>}
    </>
  );
};

interface InviteMenuProps {
  readonly invite: Invite;
  readonly roles: Roles | undefined;
  readonly onChoose: (action: Action) => void;
}

const InviteMenu = ({ invite, roles, onChoose }: InviteMenuProps): JSX.Element => {
  const { staff } = useTexts();
  const { status, role_id, email } = invite;
  const member = useMember();
  const mayLink = member !== undefined && isAdministrator(member);
  const canChange =
    (openStates.includes(status) || status === 'expired') &&
    roles !== undefined &&
    roles.assignable.some(({ id }) => id === role_id);
  const items: readonly MenuItem<Action>[] = [
    ...(canChange ? [{ name: 'resend', label: staff.resend, icon: MailPlus } as const] : []),
    { name: 'history', label: staff.history, icon: Clock },
    ...(canChange
      ? ([
          ...(mayLink ? [{ name: 'link', label: staff.newLink, icon: Link } as const] : []),
          { name: 'revoke', label: staff.revoke, icon: Ban, isDangerous: true },
        ] as const)
      : []),
  ];
  return <RowMenu of={email} items={items} onChoose={onChoose} />;
};

const History = ({ invite: { email, history = [] } }: { readonly invite: Invite }): JSX.Element => {
  const { staff } = useTexts();
  return (
    <ol class="timeline" aria-label={staff.historyOf(email)}>
      {history.map(({ status, at, reason }) => (
        <li key={`${status} ${at}`}>
          <InviteStatus state={status} /> <Time at={at} />
          {reason !== null && <p class="quiet">{reason}</p>}
        </li>
      ))}
    </ol>
  );
};

interface OpenProps {
  readonly invite: Invite;
  readonly onClose: () => void;
}

const NewLink = ({ invite, onLink, onClose }: OpenProps & Pick<InviteTableProps, 'onLink'>): JSX.Element => {
  const { staff } = useTexts();
  const { email, role_id } = invite;
  const createLink = async (): Promise<void> => {
    const item = { role_id, email, send_email: false };
    const { invites } = await change<{ invites: [Invite] }>('POST', '/admin/invites/', { invites: [item] });
    onLink(invites[0]);
  };
  return (
    <Confirm label={staff.newLink} action={staff.newLink} act={createLink} onClose={onClose}>
      <p>{staff.newLinkHelp(email)}</p>
    </Confirm>
  );
};

const Revoke = ({ invite: { id, email }, onClose }: OpenProps): JSX.Element => {
  const { staff } = useTexts();
  const revoke = async (): Promise<void> => {
    await deleteResource(`/admin/invites/${id}/`);
    announce(staff.revoked(email));
  };
  return (
    <Confirm label={staff.revoke} action={staff.revoke} isDangerous act={revoke} onClose={onClose}>
      <p>{staff.revokeHelp(email)}</p>
    </Confirm>
  );
};
