/** The invitations by status, newest first, each with its history and what can be done about it. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { change, deleteResource } from '../api/client.ts';
import { type Invite, type InviteState, type Roles, readInvites, readRoles } from '../api/staff.ts';
import { isAdministrator } from '../member.ts';
import { linkTo, replaceWith } from '../router.ts';
import { useMember } from '../session.ts';
import { useTexts } from '../texts/dictionary.ts';
import { announce } from '../ui/announcer.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { Icon } from '../ui/icon.tsx';
import { Ban, Link, MailPlus, UserPlus } from '../ui/icons.ts';
import { inputValue } from '../ui/input-value.ts';
import { InviteStatus } from '../ui/invite-status.tsx';
import { LoadMore } from '../ui/load-more.tsx';
import { ShownOnce } from '../ui/shown-once.tsx';
import { Empty, Loaded, Problem } from '../ui/states.tsx';
import { Time } from '../ui/time.tsx';
import { useAction } from '../use-action.ts';
import { usePages } from '../use-pages.ts';
import { useQuery } from '../use-query.ts';

interface InvitationsProps {
  /** Of the address; any text. */
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
        <label class="field">
          <span>{staff.status}</span>
          <select
            value={status ?? ''}
            onChange={(event) => replaceWith(['staff', 'invitations'], { status: inputValue(event) })}
          >
            <option value="">{staff.anyStatus}</option>
            {states.map((state) => (
              <option key={state} value={state}>
                {staff.states[state]}
              </option>
            ))}
          </select>
        </label>
        <wa-button class="apart" size="s" variant="brand" href={linkTo(['staff', 'invitations', 'new'])}>
          <Icon of={UserPlus} slot="start" />
          {staff.invite}
        </wa-button>
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
            {items.length > 0 && (
              <ul class="panel cards flat">
                {items.map((invite) => (
                  <InviteCard key={invite.id} invite={invite} roles={roles.data} onLink={setCreated} />
                ))}
              </ul>
            )}
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

interface InviteCardProps {
  readonly invite: Invite;
  readonly roles: Roles | undefined;
  readonly onLink: (invite: Invite) => void;
}

const InviteCard = ({ invite, roles, onLink }: InviteCardProps): JSX.Element => {
  const { staff } = useTexts();
  const { email, role_id, status } = invite;
  const isOpen = status === 'pending' || status === 'sent' || status === 'bounced' || status === 'complained';
  const canChange =
    (isOpen || status === 'expired') && roles !== undefined && roles.assignable.some(({ id }) => id === role_id);
  return (
    <li class="card">
      <div class="title">
        <strong>{email}</strong>
        <InviteStatus state={status} />
        <span class="tag">{roles?.all.get(role_id)?.name ?? (roles && staff.unknownRole)}</span>
      </div>
      <p class="quiet">
        {staff.created} <Time at={invite.created_at} />
        {isOpen && (
          <>
            {' · '}
            {staff.expires} <Time at={new Date(invite.expires).toISOString()} />
          </>
        )}
      </p>
      <History invite={invite} />
      {canChange && <InviteActions invite={invite} onLink={onLink} />}
    </li>
  );
};

const History = ({ invite: { email, history = [] } }: { readonly invite: Invite }): JSX.Element => {
  const { staff } = useTexts();
  return (
    <details>
      <summary>
        {staff.history}
        <span class="unseen">: {email}</span>
      </summary>
      <ol class="timeline" aria-label={staff.historyOf(email)}>
        {history.map(({ status, at, reason }) => (
          <li key={`${status} ${at}`}>
            <InviteStatus state={status} /> <Time at={at} />
            {reason !== null && <p class="quiet">{reason}</p>}
          </li>
        ))}
      </ol>
    </details>
  );
};

interface InviteActionsProps {
  readonly invite: Invite;
  readonly onLink: (invite: Invite) => void;
}

const InviteActions = ({ invite, onLink }: InviteActionsProps): JSX.Element => {
  const { staff } = useTexts();
  const member = useMember();
  const { id, email, role_id } = invite;
  const [open, setOpen] = useState<'link' | 'revoke'>();
  const close = (): void => setOpen(undefined);
  const path = `/admin/invites/${id}/`;
  const resend = useAction(async () => {
    await change('POST', `${path}resend/`);
    announce(staff.resent(email));
  });
  const createLink = async (): Promise<void> => {
    const item = { role_id, email, send_email: false };
    const { invites } = await change<{ invites: [Invite] }>('POST', '/admin/invites/', { invites: [item] });
    onLink(invites[0]);
  };
  const revoke = async (): Promise<void> => {
    await deleteResource(path);
    announce(staff.revoked(email));
  };
  return (
    <div class="actions">
      <wa-button size="s" appearance="outlined" loading={resend.isRunning} onClick={resend.run}>
        <Icon of={MailPlus} slot="start" />
        {staff.resend}
        <span class="unseen">: {email}</span>
      </wa-button>
      {member !== undefined && isAdministrator(member) && (
        <wa-button size="s" appearance="outlined" onClick={() => setOpen('link')}>
          <Icon of={Link} slot="start" />
          {staff.newLink}
          <span class="unseen">: {email}</span>
        </wa-button>
      )}
      <wa-button size="s" appearance="outlined" variant="danger" onClick={() => setOpen('revoke')}>
        <Icon of={Ban} slot="start" />
        {staff.revoke}
        <span class="unseen">: {email}</span>
      </wa-button>
      {resend.error !== undefined && <Problem error={resend.error} />}
      {open === 'link' && (
        <Confirm label={staff.newLink} action={staff.newLink} act={createLink} onClose={close}>
          <p>{staff.newLinkHelp(email)}</p>
        </Confirm>
      )}
      {open === 'revoke' && (
        <Confirm label={staff.revoke} action={staff.revoke} isDangerous act={revoke} onClose={close}>
          <p>{staff.revokeHelp(email)}</p>
        </Confirm>
      )}
    </div>
  );
};
