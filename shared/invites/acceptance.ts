/** What accepting needs of the table and the queues, for the API and for the page. */
import { systemClock } from '../clock.ts';
import { newId } from '../ids.ts';
import { readAddress } from '../staff/address.ts';
import { announce } from '../staff/announce.ts';
import { acceptInvite, readInvite } from './store.ts';

export const acceptancePorts = { readInvite, readAddress, acceptInvite, announce, clock: systemClock, ids: newId };
