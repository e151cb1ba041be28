// Schema of the live stream for the OpenAPI document.

import { Type } from './schema.ts';

export const StreamAnswer = Type.String({
  description: 'A text/event-stream of messages with id, event and data; data is JSON.',
});
