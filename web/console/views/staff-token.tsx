/** Creates the access token of a staff member, and shows it once. */
import type { JSX } from 'preact';
import { change } from '../api/client.ts';
import type { User } from '../api/resources.ts';
import { useTexts } from '../texts/dictionary.ts';
import { Confirm } from '../ui/dialog.tsx';
import { ShownOnce } from '../ui/shown-once.tsx';

export interface StaffToken {
  readonly name: string;
  /** As programs use it: `{id}:{secret}`. */
  readonly token: string;
}

interface NewTokenProps {
  readonly member: User;
  readonly onCreated: (token: StaffToken) => void;
  readonly onClose: () => void;
}

/** Asks for confirmation, because all earlier tokens of the member end. */
export const NewToken = ({ member, onCreated, onClose }: NewTokenProps): JSX.Element => {
  const { staff } = useTexts();
  const create = async (): Promise<void> => {
    const { apiKey } = await change<{ apiKey: { id: string; secret: string } }>(
      'PUT',
      `/admin/users/${member.id}/token/`,
    );
    onCreated({ name: member.name, token: `${apiKey.id}:${apiKey.secret}` });
  };
  return (
    <Confirm label={staff.newTokenFor(member.name)} action={staff.newToken} act={create} onClose={onClose}>
      <p>{staff.newTokenHelp}</p>
    </Confirm>
  );
};

interface TokenOnceProps {
  readonly token: StaffToken | undefined;
  readonly onDismiss: () => void;
}

export const TokenOnce = ({ token, onDismiss }: TokenOnceProps): JSX.Element | null => {
  const { staff } = useTexts();
  return token === undefined ? null : (
    <ShownOnce title={staff.tokenTitle(token.name)} secret={token.token} copy={staff.copyToken} onDismiss={onDismiss} />
  );
};
