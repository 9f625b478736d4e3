/** The member's own access: name and address, sessions, also of other devices, and the access token for programs. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { User } from '../api/resources.ts';
import { rename } from '../session.ts';
import { useTexts } from '../texts/dictionary.ts';
import { announce } from '../ui/announcer.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { Icon } from '../ui/icon.tsx';
import { KeyRound, Mail, Pencil } from '../ui/icons.ts';
import { TextField } from '../ui/text-field.tsx';
import { ChangeAddress } from './change-address.tsx';
import { Sessions } from './sessions.tsx';
import { NewToken, type StaffToken, TokenOnce } from './staff-token.tsx';

export const Access = ({ member }: { readonly member: User }): JSX.Element => (
  <>
    <Name member={member} />
    <OwnSessions />
    <Token member={member} />
  </>
);

const Name = ({ member }: { readonly member: User }): JSX.Element => {
  const { staff } = useTexts();
  const [asked, setAsked] = useState<'name' | 'address'>();
  const close = (): void => setAsked(undefined);
  return (
    <section class="panel" aria-labelledby="name">
      <h2 id="name">{member.name}</h2>
      <p class="quiet">
        {member.email} · {staff.roleName(member.roles?.[0]?.name)}
      </p>
      <div class="actions">
        <wa-button size="s" appearance="outlined" onClick={() => setAsked('name')}>
          <Icon of={Pencil} slot="start" />
          {staff.changeName}
        </wa-button>
        <wa-button size="s" appearance="outlined" onClick={() => setAsked('address')}>
          <Icon of={Mail} slot="start" />
          {staff.changeOwnAddress}
        </wa-button>
      </div>
      {asked === 'name' && <ChangeName member={member} onClose={close} />}
      {asked === 'address' && <ChangeAddress member={member} onClose={close} />}
    </section>
  );
};

interface ChangeNameProps {
  readonly member: User;
  readonly onClose: () => void;
}

const ChangeName = ({ member, onClose }: ChangeNameProps): JSX.Element => {
  const { frame, staff } = useTexts();
  const [name, setName] = useState(member.name);
  const save = async (): Promise<void> => {
    await rename(name);
    announce(staff.nameChanged(name));
  };
  return (
    <Confirm label={staff.changeName} action={frame.save} act={save} onClose={onClose}>
      <p>{staff.nameHelp}</p>
      <TextField isRequired label={staff.name} value={name} autocomplete="name" onInput={setName} />
    </Confirm>
  );
};

const OwnSessions = (): JSX.Element => {
  const { staff } = useTexts();
  return (
    <section class="panel" aria-labelledby="sessions">
      <h2 id="sessions">{staff.sessions}</h2>
      <p class="quiet">{staff.sessionsHelp}</p>
      <Sessions path="/admin/session/" none={staff.noSessions} />
    </section>
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
