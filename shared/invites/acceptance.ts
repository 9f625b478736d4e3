/** What accepting needs of the table and the queues, for the API and for the page. */

import { readAddress } from '../accounts/address.ts';
import { announce } from '../accounts/announce.ts';
import { systemClock } from '../foundation/clock.ts';
import { newId } from '../foundation/ids.ts';
import { acceptInvite, readInvite } from './store.ts';

export const acceptancePorts = { readInvite, readAddress, acceptInvite, announce, clock: systemClock, ids: newId };
