/** Invites one person or a pasted list, after a preview that shows the problems of each line. */
import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { change } from '../api/client.ts';
import { ApiError } from '../api/problem.ts';
import type { User } from '../api/resources.ts';
import { type Invite as Created, type Roles, readInvites, readMembers, readRoles } from '../api/staff.ts';
import { type ListEntry, normalized, readList, writeList } from '../invitation-list.ts';
import { isAdministrator } from '../member.ts';
import { goTo, linkTo } from '../router.ts';
import { useTexts } from '../texts/dictionary.ts';
import { announce } from '../ui/announcer.tsx';
import { BackLink } from '../ui/back-link.tsx';
import { Icon } from '../ui/icon.tsx';
import { Send, UserPlus } from '../ui/icons.ts';
import { inputValue } from '../ui/input-value.ts';
import { RolePicker } from '../ui/role-picker.tsx';
import { ShownOnce } from '../ui/shown-once.tsx';
import { Loaded, Problem } from '../ui/states.tsx';
import { useAction } from '../use-action.ts';
import { readPages } from '../use-pages.ts';
import { useQuery } from '../use-query.ts';

/** The maximum per request. */
const batchSize = 50;

/** How many pages of known people are read for the preview; the API checks everybody. */
const knownPages = 10;

interface Known {
  readonly roles: Roles;
  readonly members: ReadonlySet<string>;
  readonly open: ReadonlyMap<string, string>;
}

const readKnown = async (member: User, signal: AbortSignal): Promise<Known> => {
  const [roles, pending, sent, members] = await Promise.all([
    readRoles(signal),
    readPages((cursor) => readInvites('pending', cursor, signal), knownPages, signal),
    readPages((cursor) => readInvites('sent', cursor, signal), knownPages, signal),
    isAdministrator(member) ? readPages(readMembers, knownPages, signal) : { items: [member] },
  ]);
  return {
    roles,
    members: new Set(members.items.map(({ email }) => normalized(email))),
    open: new Map([...pending.items, ...sent.items].map(({ email, role_id }) => [normalized(email), role_id])),
  };
};

export const Invite = ({ member }: { readonly member: User }): JSX.Element => {
  const { staff } = useTexts();
  const known = useQuery('known addresses', (signal) => readKnown(member, signal));
  return (
    <>
      <BackLink to={['staff', 'invitations']} label={staff.parts.invitations} />
      <h1>{staff.invite}</h1>
      <Loaded query={known}>{(data) => <InviteForm known={data} mayLink={isAdministrator(member)} />}</Loaded>
    </>
  );
};

interface InviteFormProps {
  readonly known: Known;
  /** Whether the member can create links without mail. */
  readonly mayLink: boolean;
}

const InviteForm = ({ known, mayLink }: InviteFormProps): JSX.Element => {
  const { staff } = useTexts();
  const { assignable } = known.roles;
  const list = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState('');
  const [roleId, setRoleId] = useState(
    (assignable.find(({ name }) => name === 'Contributor') ?? assignable.at(-1))?.id ?? '',
  );
  const [byMail, setByMail] = useState(true);
  const [links, setLinks] = useState<readonly Created[]>([]);
  const [refusals, setRefusals] = useState<ReadonlyMap<string, string>>(new Map());
  const [isMissing, setIsMissing] = useState(false);
  const role = assignable.find(({ id }) => id === roleId);
  const entries = readList(text, { ...known, roles: assignable, role, roleName: staff.roleName });
  const good = entries.filter((entry) => entry.problem === undefined && entry.role !== undefined);
  const { run, isRunning, error } = useAction(async () => {
    setIsMissing(good.length === 0);
    if (good.length === 0) return;
    setRefusals(new Map());
    const created: Created[] = [];
    try {
      for (let start = 0; start < good.length; start += batchSize)
        created.push(...(await send(good.slice(start, start + batchSize), byMail)));
    } catch (cause) {
      setRefusals(refusalsOf(cause, good.slice(created.length, created.length + batchSize)));
      throw cause;
    } finally {
      const done = new Set(created.map(({ email }) => normalized(email)));
      setText(writeList(entries.filter(({ email }) => !done.has(normalized(email)))));
      if (!byMail) setLinks((before) => [...created, ...before]);
      if (created.length > 0) announce(staff.sent(created.length));
    }
    if (!byMail) return;
    if (good.length === entries.length) goTo(['staff', 'invitations']);
    // The focused button is disabled now, which would lose the focus.
    else list.current?.focus();
  });
  return (
    <>
      {links.length > 0 && <Links links={links} onDismiss={() => setLinks([])} />}
      <form
        class="panel form"
        autocomplete="off"
        onSubmit={(event) => {
          event.preventDefault();
          run();
        }}
      >
        <label class="field">
          <span>{staff.people}</span>
          <textarea
            ref={list}
            rows={5}
            value={text}
            spellcheck={false}
            aria-describedby="people-hint"
            onInput={(event) => setText(inputValue(event))}
          />
        </label>
        <p class="quiet" id="people-hint">
          {staff.peopleHint}
        </p>
        <RolePicker roles={assignable} value={roleId} onPick={setRoleId} />
        {mayLink && (
          <fieldset class="picker">
            <legend>{staff.how}</legend>
            <label class="check">
              <input type="radio" name="how" checked={byMail} onChange={() => setByMail(true)} />
              <span>{staff.byMail}</span>
            </label>
            <label class="check">
              <input type="radio" name="how" checked={!byMail} onChange={() => setByMail(false)} />
              <span>{staff.byHand}</span>
            </label>
          </fieldset>
        )}
        {entries.length > 0 && <Preview entries={entries} refusals={refusals} good={good.length} />}
        {isMissing && good.length === 0 && (
          <p class="mistake" role="alert">
            {staff.nothingToSend}
          </p>
        )}
        {error !== undefined && <Problem error={error} />}
        <div class="actions">
          <wa-button
            type="submit"
            variant="brand"
            loading={isRunning}
            disabled={entries.length > 0 && good.length === 0}
          >
            <Icon of={good.length > 1 ? Send : UserPlus} slot="start" />
            {staff.send(good.length)}
          </wa-button>
          <wa-button appearance="plain" href={linkTo(['staff', 'invitations'])}>
            {staff.toInvitations}
          </wa-button>
        </div>
      </form>
    </>
  );
};

const send = async (entries: readonly ListEntry[], byMail: boolean): Promise<readonly Created[]> => {
  const invites = entries.map(({ email, role }) => ({ email, role_id: role?.id, send_email: byMail }));
  return (await change<{ invites: Created[] }>('POST', '/admin/invites/', { invites })).invites;
};

/** Returns why the API refused items of a request, by address. */
const refusalsOf = (cause: unknown, entries: readonly ListEntry[]): ReadonlyMap<string, string> => {
  const details = cause instanceof ApiError ? (cause.entry.details ?? []) : [];
  return new Map(
    details.flatMap(({ index, received }) => {
      const entry = index === null ? undefined : entries[index];
      return entry === undefined ? [] : [[normalized(entry.email), received] as const];
    }),
  );
};

interface PreviewProps {
  readonly entries: readonly ListEntry[];
  /** By address. */
  readonly refusals: ReadonlyMap<string, string>;
  readonly good: number;
}

const Preview = ({ entries, refusals, good }: PreviewProps): JSX.Element => {
  const { staff } = useTexts();
  return (
    <div class="preview">
      <h2 id="preview">{staff.preview}</h2>
      <p role="status">{staff.summary(good, entries.length - good)}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region is reachable by keyboard (WCAG 2.1.1) */}
      <div class="scroll" tabIndex={0} role="region" aria-labelledby="preview">
        <table>
          <thead>
            <tr>
              <th scope="col">{staff.columns.line}</th>
              <th scope="col">{staff.columns.address}</th>
              <th scope="col">{staff.columns.role}</th>
              <th scope="col">{staff.columns.check}</th>
            </tr>
          </thead>
          <tbody>
            {entries.map((entry) => (
              <tr key={`${entry.line} ${entry.email}`}>
                <td>{entry.line}</td>
                <td>{entry.email}</td>
                <td>{entry.role && staff.roleName(entry.role.name)}</td>
                <td>
                  <Check entry={entry} refusal={refusals.get(normalized(entry.email))} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
};

interface CheckProps {
  readonly entry: ListEntry;
  readonly refusal: string | undefined;
}

const Check = ({ entry: { problem, replaces, roleBefore }, refusal }: CheckProps): JSX.Element => {
  const { problems, good, replaces: replacesText, replacesRole, roleName } = useTexts().staff;
  if (refusal !== undefined) return <span class="mistake">{problems.refused(refusal)}</span>;
  if (problem === undefined) {
    if (roleBefore !== undefined) return <span>{replacesRole(roleName(roleBefore.name))}</span>;
    return <span>{replaces ? replacesText : good}</span>;
  }
  switch (problem.kind) {
    case 'repeated':
      return <span class="mistake">{problems.repeated(problem.line)}</span>;
    case 'role':
      return <span class="mistake">{problems.role(problem.name)}</span>;
    default:
      return <span class="mistake">{problems[problem.kind]}</span>;
  }
};

interface LinksProps {
  readonly links: readonly Created[];
  readonly onDismiss: () => void;
}

const Links = ({ links, onDismiss }: LinksProps): JSX.Element => {
  const { staff } = useTexts();
  return (
    <ShownOnce
      title={staff.linksTitle(links.length)}
      secret={links.map(({ email, link }) => `${email} ${link}`).join('\n')}
      copy={links.length === 1 ? staff.copyLink : staff.copyLinks}
      onDismiss={onDismiss}
    />
  );
};
