import { etagOf } from '../../core/api/precondition.ts';
import type { NamedRecord } from '../../core/app/session.ts';
import { wardAuthor, writerSeconds, type WriterState } from '../../core/app/training.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { defineMessages, type Message } from '../../core/text/message.ts';
import { Random } from '../demo/random.ts';
import { wardRound } from '../demo/ward.ts';
import type { RecordService } from '../fhir/service.ts';

const messages = defineMessages('ward', {
  nothingLeft: 'There is nothing left on the ward to change.',
  notSaved: 'A change couldn’t be saved.',
});

/** Changes one record of the ward every few seconds, as colleagues would: each change is a version of its own. */
export class SimulatedWriter {
  private readonly service: RecordService;
  private readonly ward: () => readonly NamedRecord[];
  private readonly random: Random;
  private timer: NodeJS.Timeout | undefined;
  private currentChange: Promise<void> | undefined;
  private turn = 0;
  private publishedState: Omit<WriterState, 'running'> = { seconds: writerSeconds.usual, changes: 0 };

  constructor(service: RecordService, ward: () => readonly NamedRecord[], seed: number) {
    this.service = service;
    this.ward = ward;
    this.random = new Random(seed, 0, 0x500);
  }

  state(): WriterState {
    return { running: this.timer !== undefined, ...this.publishedState };
  }

  /** Starts the writer or changes its interval. The first change follows at once. */
  start(seconds: number): void {
    clearInterval(this.timer);
    this.publishedState = { seconds, changes: 0 };
    const work = () => {
      this.currentChange ??= this.change().finally(() => {
        this.currentChange = undefined;
      });
    };
    this.timer = setInterval(work, seconds * 1000).unref();
    work();
  }

  /** Resolves when no change is pending and none will follow. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    this.timer = undefined;
    await this.currentChange;
  }

  private async change(): Promise<void> {
    try {
      const ward = this.ward();
      const inTurn = [...ward.slice(this.turn), ...ward.slice(0, this.turn)];
      for (const record of inTurn) {
        this.turn = (this.turn + 1) % ward.length;
        if (await this.changeOne(record)) return;
      }
      this.halt(messages.nothingLeft());
    } catch {
      this.halt(messages.notSaved());
    }
  }

  /** Returns false if the record is missing or has no shape that a ward round changes. */
  private async changeOne(record: NamedRecord): Promise<boolean> {
    const { type, id } = record;
    try {
      const current = await this.service.read(type, id);
      const changes = wardRound(JSON.parse(current.text), this.publishedState.changes + 1, this.random);
      if (changes.length === 0) return false;
      const text = JSON.stringify(changes);
      const { version } = await this.service.patch({
        type,
        id,
        text,
        author: wardAuthor,
        ifMatch: etagOf(current.version),
      });
      const lastChange = { ...record, version: version.version, at: version.lastUpdated };
      this.publishedState = {
        ...this.publishedState,
        changes: this.publishedState.changes + 1,
        last: lastChange,
      };
      return true;
    } catch (error) {
      // Removed, changed or rejected meanwhile: continue with the next record.
      if (error instanceof FhirError) return false;
      throw error;
    }
  }

  private halt({ text, messageCode }: Message): void {
    clearInterval(this.timer);
    this.timer = undefined;
    this.publishedState = { ...this.publishedState, problem: text, problemCode: messageCode };
  }
}
