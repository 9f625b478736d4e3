/** The member's own access: sessions, to end those of other devices, and the access token for programs. */
import { KeyRound, MonitorSmartphone } from 'lucide';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { change, get } from '../api/client.ts';
import type { User } from '../api/resources.ts';
import type { OwnSession } from '../api/staff.ts';
import { signOut } from '../session.ts';
import { useTexts } from '../texts/dictionary.ts';
import { announce } from '../ui/announcer.tsx';
import { Icon } from '../ui/icon.tsx';
import { Loaded, Problem } from '../ui/states.tsx';
import { Time } from '../ui/time.tsx';
import { useAction } from '../use-action.ts';
import { useQuery } from '../use-query.ts';
import { NewToken, type StaffToken, TokenOnce } from './staff-token.tsx';

const path = '/admin/session/';

export const Access = ({ member }: { readonly member: User }): JSX.Element => (
  <>
    <Sessions />
    <Token member={member} />
  </>
);

const Sessions = (): JSX.Element => {
  const { staff } = useTexts();
  const query = useQuery(
    path,
    async (signal) => (await get<{ sessions: OwnSession[] }>(path, {}, signal)).sessions,
    10_000,
  );
  return (
    <section class="panel" aria-labelledby="sessions">
      <h2 id="sessions">{staff.sessions}</h2>
      <p class="quiet">{staff.sessionsHelp}</p>
      <Loaded query={query}>
        {(sessions) =>
          sessions.length === 0 ? (
            <p>{staff.noSessions}</p>
          ) : (
            <ul class="cards">
              {sessions.map((session) => (
                <SessionCard key={session.id} session={session} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </section>
  );
};

const SessionCard = ({ session }: { readonly session: OwnSession }): JSX.Element => {
  const { staff } = useTexts();
  const device = session.device ?? staff.unknownDevice;
  const { run, isRunning, error } = useAction(async () => {
    if (session.current) return signOut();
    await change('DELETE', `${path}${session.id}/`);
    announce(staff.ended);
  });
  return (
    <li class="card">
      <div class="title">
        <Icon of={MonitorSmartphone} />
        <strong>{device}</strong>
        {session.current && <span class="tag">{staff.current}</span>}
        <wa-button class="apart" size="s" appearance="outlined" loading={isRunning} onClick={run}>
          {staff.end}
          <span class="unseen">: {device}</span>
        </wa-button>
      </div>
      <p class="quiet">
        {staff.signedIn} <Time at={session.created_at} /> · {staff.lastSeen} <Time at={session.last_seen_at} /> ·{' '}
        {staff.ends} <Time at={session.expires_at} />
      </p>
      {error !== undefined && <Problem error={error} />}
    </li>
  );
};

const Token = ({ member }: { readonly member: User }): JSX.Element => {
  const { staff } = useTexts();
  const [isAsking, setIsAsking] = useState(false);
  const [token, setToken] = useState<StaffToken>();
  return (
    <>
      <TokenOnce token={token} onDismiss={() => setToken(undefined)} />
      <section class="panel" aria-labelledby="token">
        <h2 id="token">{staff.token}</h2>
        <p class="quiet">{staff.tokenHelp}</p>
        <div class="actions">
          <wa-button size="s" appearance="outlined" onClick={() => setIsAsking(true)}>
            <Icon of={KeyRound} slot="start" />
            {staff.newToken}
          </wa-button>
        </div>
        {isAsking && <NewToken member={member} onCreated={setToken} onClose={() => setIsAsking(false)} />}
      </section>
    </>
  );
};
