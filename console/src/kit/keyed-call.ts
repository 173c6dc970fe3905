/**
 * Sends a write with its key. Only `write.ts`, and what keeps writes while there is no connection, use this file: a key that is made
 * at each press has a second effect when the first answer was lost.
 */
import { type CallReply, type KeyedCall, type KeyedCallId, sendCall } from "./api.ts";

export const callWithKey = <Id extends KeyedCallId>(id: Id, input: KeyedCall): Promise<CallReply<Id>> => sendCall(id, input);
