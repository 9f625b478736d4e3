/** Lists a member's sessions and ends those on lost devices: one's own, or for administrators those of others. */
import type { JSX } from 'preact';
import { deleteResource, get } from '../api/client.ts';
import type { StaffSession } from '../api/staff.ts';
import { lastUse } from '../distance.ts';
import { signOut } from '../session.ts';
import { useTexts } from '../texts/dictionary.ts';
import { announce } from '../ui/announcer.tsx';
import { Icon } from '../ui/icon.tsx';
import { MonitorSmartphone } from '../ui/icons.ts';
import { Loaded, Problem } from '../ui/states.tsx';
import { Time } from '../ui/time.tsx';
import { useAction } from '../use-action.ts';
import { useQuery } from '../use-query.ts';

interface SessionsProps {
  /** The path that lists the sessions; followed by an id, it ends one. */
  readonly path: '/admin/session/' | `/admin/users/${string}/sessions/`;
  readonly none: string;
  readonly canEnd?: boolean;
}

export const Sessions = ({ path, none, canEnd = true }: SessionsProps): JSX.Element => {
  const query = useQuery(
    path,
    async (signal) => (await get<{ sessions: StaffSession[] }>(path, {}, signal)).sessions,
    10_000,
  );
  return (
    <Loaded query={query}>
      {(sessions) =>
        sessions.length === 0 ? (
          <p>{none}</p>
        ) : (
          <ul class="cards">
            {sessions.map((session) => (
              <SessionCard key={session.id} session={session} path={path} canEnd={canEnd} />
            ))}
          </ul>
        )
      }
    </Loaded>
  );
};

interface SessionCardProps extends Pick<Required<SessionsProps>, 'path' | 'canEnd'> {
  readonly session: StaffSession;
}

const SessionCard = ({ session, path, canEnd }: SessionCardProps): JSX.Element => {
  const { staff } = useTexts();
  const device = session.device ?? staff.unknownDevice;
  const { run, isRunning, error } = useAction(async () => {
    if (session.current) return signOut();
    await deleteResource(`${path}${session.id}/`);
    announce(staff.ended);
  });
  return (
    <li class="card">
      <div class="title">
        <Icon of={MonitorSmartphone} />
        <strong>{device}</strong>
        {session.current && <span class="tag">{staff.current}</span>}
        {canEnd && (
          <wa-button class="at-end" size="s" appearance="outlined" loading={isRunning} onClick={run}>
            {staff.end}
            <span class="unseen">: {device}</span>
          </wa-button>
        )}
      </div>
      <p class="quiet">
        {staff.signedIn} <Time at={session.created_at} /> · {staff.lastSeen}{' '}
        <Time at={lastUse(session.created_at, session.last_seen_at)} /> · {staff.ends} <Time at={session.expires_at} />
      </p>
      {error !== undefined && <Problem error={error} />}
    </li>
  );
};
