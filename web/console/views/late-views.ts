/** What the first view does not need, in one file: with two, what they share with the first view would be in files of its own, each a request more. */
export { Invite } from './invite.tsx';
export { StatsChart } from './stats-chart.tsx';
