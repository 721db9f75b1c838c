import { z } from 'zod';
import type { LanguageModel, ModelAnswer, ModelMessage } from '../../app/ports/language-model.ts';
import { messageOf } from '../../runtime/edge-error.ts';

interface Options {
  /** Up to and with `/v1`. */
  readonly url: string;
  readonly model: string;
  readonly token?: string;
}

const MAX_ANSWER_BYTES = 262_144;
const MAX_ANSWER_TOKENS = 800;
const MAX_DETAIL = 200;

const completionSchema = z.object({
  choices: z.array(z.object({ message: z.object({ content: z.string() }) })).min(1),
});

/** Any server with the chat completions of OpenAI's interface: llama.cpp, Ollama, vLLM, or one far away. */
export class OpenAiClient implements LanguageModel {
  readonly #options: Options;

  constructor(options: Options) {
    this.#options = options;
  }

  async complete(messages: readonly ModelMessage[], signal: AbortSignal): Promise<ModelAnswer> {
    const { url, model, token } = this.#options;
    try {
      const response = await fetch(`${url.replace(/\/+$/u, '')}/chat/completions`, {
        method: 'POST',
        // A server that sends the token elsewhere is not the one that was configured.
        redirect: 'error',
        headers: {
          'content-type': 'application/json',
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        },
        body: JSON.stringify({ model, messages, temperature: 0, max_tokens: MAX_ANSWER_TOKENS }),
        signal,
      });
      if (!response.ok) {
        await response.body?.cancel();
        return refusal(response.status);
      }
      return answerIn(await boundedText(response));
    } catch (error) {
      if (signal.aborted) return { ok: false, reason: 'timeout', detail: 'no answer in time' };
      return { ok: false, reason: 'unreachable', detail: causeOf(error).slice(0, MAX_DETAIL) };
    }
  }
}

function refusal(status: number): ModelAnswer {
  const detail = `HTTP status ${status}`;
  if (status === 429) return { ok: false, reason: 'busy', detail };
  return { ok: false, reason: status >= 500 ? 'unreachable' : 'refused', detail };
}

function answerIn(text: string | undefined): ModelAnswer {
  if (text === undefined)
    return { ok: false, reason: 'nonsense', detail: `an answer of more than ${MAX_ANSWER_BYTES} bytes` };
  try {
    const parsed = completionSchema.safeParse(JSON.parse(text));
    const content = parsed.data?.choices[0]?.message.content;
    if (content !== undefined) return { ok: true, text: content };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  return { ok: false, reason: 'nonsense', detail: 'the answer is no chat completion' };
}

/** Undefined when there is more than anybody needs; the rest is not read. */
async function boundedText(response: Response): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = response.body?.getReader();
  for (;;) {
    const part = await reader?.read();
    if (part === undefined || part.done) break;
    length += part.value.byteLength;
    if (length > MAX_ANSWER_BYTES) {
      await reader?.cancel();
      return undefined;
    }
    chunks.push(part.value);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** `fetch` says only that it failed; why stands in its cause. */
function causeOf(error: unknown): string {
  return error instanceof Error && error.cause !== undefined ? messageOf(error.cause) : messageOf(error);
}
