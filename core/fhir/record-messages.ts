import { defineMessages } from '../text/message.ts';

/** Messages about records that the server and a dry run of the page write. */
export const { idTaken } = defineMessages('record', {
  idTaken: 'A {type} with this ID already exists, with different content.',
});
