// The live stream in the OpenAPI document.

import { Type } from './schema.ts';

export const StreamAnswer = Type.String({
  description: 'A text/event-stream: messages of id, event and data, where data is one JSON value.',
});
