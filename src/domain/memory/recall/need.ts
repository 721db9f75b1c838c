/** Where an answer has to be looked for; most commands need no history at all. */
export type RecallRoute = 'none' | 'working' | 'procedures' | 'times' | 'text';

const WAY =
  /\bhow (?:do|to|can|should) (?:i|we|you|one)?\b|\b(?:instructions|procedure|manual|steps) (?:for|to|of|on)\b|怎么(?:更换|换|修|做|操作|清洗|调|装|拆|重启|启动)|如何|步骤|操作规程|作业指导/iu;
const DONE =
  /\b(?:did|was|were|has|have|last time|yesterday|ago|before)\b|上次|之前|以前|昨天|了(?:吗|没)?|过(?:吗|没)?/iu;
const WORKING =
  /\b(?:last|just|previously) (?:opened|read|shown|asked|said|looked at)\b|\bwhat did i (?:just )?(?:ask|say|open)\b|\bthe one (?:we|i) (?:just|last) (?:opened|read|looked at)\b|刚才|刚刚|上一个(?:打开|问|看)|最后打开|刚打开/iu;
const PAST =
  /\b(?:was|were|did|had|been|happened|last|ago|yesterday|before|earlier|since|previous(?:ly)?|who|where|why|know|remember|known|ever|history|usually|again)\b|上次|上回|之前|以前|昨|前天|发生|记得|知道|谁|哪里|哪儿|为什么|原因|历史|曾|过(?:吗|没|几)|最近/iu;

/**
 * Whether a sentence needs what is remembered, and where it would be. `hasWords` is false where only a time and names are given:
 * then the calendar answers.
 */
export function routeRecall(
  text: string,
  { hasWords, hasPeriod }: { readonly hasWords: boolean; readonly hasPeriod: boolean },
): RecallRoute {
  if (WORKING.test(text)) return 'working';
  if (WAY.test(text) && !DONE.test(text)) return 'procedures';
  if (hasPeriod && !hasWords) return 'times';
  return hasPeriod || PAST.test(text) ? 'text' : 'none';
}

const WHEN = /^(?:(?:so|and|please|hermes) )*when\b|什么时候|何时|上次|上一次/iu;

/** Whether a question is after a time, rather than after what was told. */
export function asksWhen(text: string): boolean {
  return WHEN.test(text.trim());
}

const ASKS =
  /^(?:(?:so|and|but|ok|okay|well|please|hey|hermes|do you know|do you remember|can you tell me|tell me),? )*(?:who|whom|whose|what|when|where|why|which|how|did|does|do|was|were|has|have|had|is|are)\b(?! not\b)|\?\s*$|谁|什么|哪|几|多少|多久|怎|为何|何时|[吗呢么？]\s*$|有没有|是不是|了没|过没/iu;

/** Whether a sentence asks: a command that names last Wednesday does not, and is never taken for a question to memory. */
export function isQuestion(text: string): boolean {
  return ASKS.test(text.trim());
}
