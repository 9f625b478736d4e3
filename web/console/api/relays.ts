/** The Ghost sites that are connected to the stage, and the command that compares their webhooks. */
import { importCommand } from '../../../shared/integrations/relay/import-command.ts';
import type { RelayResource } from '../../../shared/integrations/relay/resource.ts';
import { baseUrl } from './client.ts';

export type Relay = RelayResource;

/** Returns the command that compares the site with the stage, or moves what was added there. */
export const ghostCommand = ({ site }: Relay, isMove = false): string =>
  importCommand(site, baseUrl, isMove ? '--apply --switch' : '--check');
