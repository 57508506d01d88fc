/** What a door has to do with tapes: it keeps what the model says, or lets a tape say it. */
import type { TapePlayer } from './tape/player.ts';
import type { TapeRecorder } from './tape/recorder.ts';

export type DoorTape = { readonly record: TapeRecorder } | { readonly play: TapePlayer };
