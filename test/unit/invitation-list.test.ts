/** The pasted list of people to invite: what each line yields, and which errors are found before anything is sent. */
import { describe, expect, it } from 'vitest';
import type { Role } from '../../shared/accounts/resource.ts';
import { readAddresses } from '../../shared/foundation/address-list.ts';
import type { RoleId } from '../../shared/foundation/ids.ts';
import { readList, writeList } from '../../web/console/invitation-list.ts';

const role = (name: string): Role => {
  const at = '2026-11-21T09:00:00.000Z';
  return { id: name as RoleId, name, description: name, created_at: at, updated_at: at };
};
const author = role('Author');
const editor = role('Editor');
const context = {
  roles: [author, editor],
  role: author,
  roleName: (name: string) => (name === 'Editor' ? 'Redaktion' : name),
  members: new Set(['member@example.org']),
  open: new Map([['open@example.org', author.id]]),
};
const read = (text: string) => readList(text, context);

const addresses = (text: string) => readAddresses(text).map(({ email }) => email);

describe('the addresses of a list are found', () => {
  it.each([
    ['one per line', 'ada@example.org\ngrace@example.org\r\njean@example.org\rjo@example.org'],
    [
      'as Outlook copies them',
      'Miller, Ada <ada@example.org>; Weiß, Jörg <grace@example.org>; Ng, Li <jean@example.org>; ' +
        'Editor, Sam <jo@example.org>',
    ],
    [
      'as Gmail copies them',
      'Ada Miller <ada@example.org>, grace@example.org, "Ng, Li" <jean@example.org>, \'jo@example.org\' ' +
        '<jo@example.org>,',
    ],
    [
      'with quoted names that have an @ or a semicolon',
      '"ada@home; at work" <ada@example.org>; “Ng, Li” <grace@example.org>, „Jo“ <jean@example.org>, <jo@example.org>',
    ],
    [
      'after their names in a spreadsheet',
      'Ada\tMiller\tada@example.org\tEditor\nLi\tNg\tgrace@example.org\t\n\tjean@example.org\nJo\tjo@example.org',
    ],
    [
      'in rows of CSV',
      '"Miller, Ada","ada@example.org","Editor"\nNg;Li;grace@example.org;2026\n"jean@example.org"\n' +
        '"Jo ""J"" Li",jo@example.org',
    ],
    [
      'with `mailto:`',
      'mailto:ada@example.org?subject=Hello\n<mailto:grace@example.org>\n[Jean](mailto:jean@example.org)\n' +
        '[jo@example.org](mailto:jo@example.org)',
    ],
    [
      'in a list with bullets or numbers',
      '• ada@example.org\n- Grace <grace@example.org>\n3. jean@example.org\n4) Jo – jo@example.org',
    ],
    [
      'with zero-width characters',
      '\ufeffada@example.org\u200b\n\u200egrace@example.org\u200f\nje\u00adan@example.org\n\u2060jo@\u200dexample.org',
    ],
    [
      'with full-width separators and letters',
      'ada@example.org，grace@example.org；jean＠example.org、＜jo@example.org＞',
    ],
    [
      'between spaces that do not break',
      '\u00a0ada@example.org\u00a0grace@example.org\u3000jean@example.org\u2003jo@example.org',
    ],
    [
      'in the heads of a mail',
      'To: Ada <ada@example.org>, Grace <grace@example.org>\nCc: jean@example.org (Jean); jo@example.org',
    ],
    ['in groups and brackets', 'Desk: ada@example.org, grace@example.org;\nJean [jean@example.org] | (jo@example.org)'],
  ])('%s', (_, text) => {
    expect(addresses(text)).toEqual(['ada@example.org', 'grace@example.org', 'jean@example.org', 'jo@example.org']);
  });

  it('with their lines, and with the text of a line that has none', () => {
    expect(readAddresses('Team\n\nAda <ada@example.org>\nAda Miller\nada@, b@c')).toEqual([
      { line: 1, email: 'Team' },
      { line: 3, email: 'ada@example.org' },
      { line: 4, email: 'Ada Miller' },
      { line: 5, email: 'ada@' },
      { line: 5, email: 'b@c' },
    ]);
  });
});

describe('a role', () => {
  it.each([
    ['ada@example.org, Editor'],
    ['ada@example.org\tEditor'],
    ['Editor; ada@example.org'],
    ['Ng, Editor <ada@example.org>'],
    ['Editor: ada@example.org'],
    ['Name,Email,Title\nAda,ada@example.org,Editor'],
  ])('is not read from a word of the list: %j', (text) => {
    expect(read(text).map(({ email, role: own }) => [email, own?.name])).toEqual([['ada@example.org', 'Author']]);
  });

  it.each([
    ['tabs', 'Name\tEmail\tRole\nAda\tada@example.org\tEditor\nGrace\tgrace@example.org\t'],
    ['commas and quotes', 'Role,"E-mail address"\n"editor","Miller, Ada <ada@example.org>"\n,grace@example.org'],
    ['semicolons, in German', '\n E-Mail-Adresse ; Rolle \nada@example.org;Redaktion\ngrace@example.org'],
  ])('is read from a column that says so, separated by %s', (_, text) => {
    expect(read(text).map(({ email, role: own }) => [email, own?.name])).toEqual([
      ['ada@example.org', 'Editor'],
      ['grace@example.org', 'Author'],
    ]);
  });

  it('stays in its column if the rest of a list is written again', () => {
    const entries = read('Name\tEmail\tRole\nAda\tada@example.org\tEditor\nGrace\tgrace@example.org\t');
    expect(read(writeList(entries)).map(({ email, role: own }) => [email, own?.name])).toEqual([
      ['ada@example.org', 'Editor'],
      ['grace@example.org', 'Author'],
    ]);
    expect(writeList(read('Ada <ada@example.org>; grace@example.org'))).toBe('ada@example.org\ngrace@example.org');
  });
});

describe('a line', () => {
  it('may be empty, and still counts for the line numbers', () => {
    expect(read('\n\nada@example.org\n').map(({ line }) => line)).toEqual([3]);
  });

  it.each([
    ['no address', 'Ada', { kind: 'address' }],
    ['an address that SES would refuse', 'ada@example', { kind: 'address' }],
    ['a role that cannot be assigned', 'Email,Role\nada@example.org, King', { kind: 'role', name: 'King' }],
    ['the address of a member, in any case', 'Member@example.org', { kind: 'member' }],
  ])('is refused with %s', (_, text, problem) => {
    expect(read(text)).toMatchObject([{ problem }]);
  });

  it('is refused if an earlier line has the same address; the error names that line', () => {
    expect(read('ada@example.org\n\nADA@example.org')[1]).toMatchObject({ problem: { kind: 'repeated', line: 1 } });
  });

  it('may have the address of an open invitation, which it replaces', () => {
    expect(read('open@example.org')).toEqual([{ line: 1, email: 'open@example.org', role: author, replaces: true }]);
  });

  it('says which role an open invitation loses', () => {
    expect(read('Email,Role\nopen@example.org,Editor')).toMatchObject([
      { role: editor, replaces: true, roleBefore: author },
    ]);
  });
});
