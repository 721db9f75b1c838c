import type { Language } from '../../language/language.ts';

type PerLanguage = Readonly<Record<Language, RegExp>>;

/** A whole utterance, in lower case without punctuation, that only steers the conversation. */
export const CONTROL: PerLanguage = {
  en: /^(?:please )?(?:stop|cancel|abort|quit|exit|pause|resume|continue|go on|go back|back|next|again|repeat(?: (?:that|it))?|say (?:that|it) again|undo(?: (?:that|it))?|never ?mind|forget (?:it|that)|stop (?:it|that|talking)|be quiet|quiet|silence|louder|quieter|slower|faster|help|cancel (?:it|that|the .+ step)|skip(?: (?:it|that))?)(?: please)?$/u,
  zh: /^请?(?:停|停止|停下|停一下|取消|中止|退出|暂停|继续|返回|上一步|下一步|下一个|再来一次|再说一遍|重复|重复一遍|撤销|算了|忘了吧|忘掉|别说了|安静|大声点|小声点|慢点|快点|帮助|跳过|取消第.+步)吧?$/u,
};

export const CONSENTS: PerLanguage = {
  en: /^(?:(?:yes|yeah|yep|yup|no|nope|ok|okay|sure|right|correct|confirm(?:ed)?|confirm execute|execute|do it|go ahead|agreed|affirmative|negative|fine|exactly|of course|all right|alright|that is right|that is correct|please|approved?|accept(?:ed)?|i confirm|i agree|do not|wrong|not now|later|the (?:first|second|third|last)(?: one)?) ?)+$/u,
  zh: /^(?:是|是的|对|对的|不|不是|不对|不用|不要|好|好的|可以|行|行吧|没问题|确认|确认执行|执行|同意|批准|嗯|没错|当然|就这样|去吧|否|错了|第[一二三]个|现在不|等会|啊|呀|吧|了)+$/u,
};

export const SMALL_TALK: PerLanguage = {
  en: /^(?:(?:hello|hi|hey|hermes|good (?:morning|afternoon|evening|night)|how are you(?: doing)?|how is it going|thanks?|thank you(?: (?:very|so) much)?|many thanks|bye|goodbye|see you(?: (?:later|tomorrow))?|nice(?: work)?|well done|good job|great|cool|wow|haha|welcome|you are welcome|sorry|excuse me|never mind|have a nice (?:day|evening|weekend)|what is up|there|everyone|all|friends?|it is (?:hot|cold|raining) today|nice weather(?: today)?|i am (?:tired|hungry|bored|back)|lunch ?time|um+|uh+|hm+|well|so|oh|ah|and|then) ?)+$/u,
  zh: /^(?:你好|您好|大家好|早上好|早|下午好|晚上好|晚安|谢谢|多谢|感谢|辛苦了|再见|拜拜|回头见|明天见|不客气|对不起|抱歉|不好意思|哈+|嘿+|哇|真棒|不错|厉害|干得好|吃了吗|吃饭了|吃饭去了|今天天气(?:真|很)?(?:好|热|冷)|我(?:累|饿|回来)了|好累|嗯|呃|啊|哦|那个|这个|然后|呢|你们?|大家|各位|师傅|赫尔墨斯|了|吧|呀|的)+$/u,
};

/** Words that ask for something to be kept. */
export const REMEMBER: PerLanguage = {
  en: /^(?:(?:please|hey|hermes|can you|could you|would you|will you|also|and|ok|okay) )*(?:remember|memori[sz]e|note|take a note|make a note|write down|keep in mind|bear in mind|remind (?:me|us|him|her|them|everyone)|do not forget|don't forget|for the record|save this|log that)\b(?! (?:when|what|where|who|how|why)\b)/u,
  zh: /^(?:请|麻烦|你|帮我|帮忙|给我|替我|也|还要|另外|赫尔墨斯|能不能|可以|要)*(?:记住|记得|记下|记一下|记着|记录|备注|提醒|别忘|不要忘|千万记)/u,
};

const EN_ASKING =
  '(?:what|who|whom|whose|which|where|when|why|how|is|are|was|were|does|do|did|has|have|had|can|could|will|would|should|may|shall|tell me|show me|do you (?:know|remember)|give me|list|find|search)';

/** Asks instead of stating. */
export const QUESTIONS: PerLanguage = {
  en: new RegExp(
    `^(?:(?:please|hey|hermes|so|and|ok|okay|well) )*(?!do not\\b|don't\\b)${EN_ASKING}\\b`,
    'u',
  ),
  zh: /(?:吗|呢|么)$|什么|多少|怎么|怎样|哪[里个些台儿天]|谁|为何|几(?:点|号|个|台|次|天|度)|是不是|有没有|能不能|可不可以|对不对|知不知道|^(?:告诉我|查一下|查询|看一下|显示|列出|请问|还记得|你知道)/u,
};

const FILLING: PerLanguage = {
  en: /\b(?:the|a|an|and|of|is|it|that|this|so|well|um+|uh+|please|hermes|hey|ok|okay|just|like|you know)\b/gu,
  zh: /[的了是吧呢啊呀哦嗯呃请就也这那个]/gu,
};

/** How many signs say something beyond fillers. */
export function contentLength(plain: string, language: Language): number {
  return plain.replace(FILLING[language], '').replace(/[^\p{L}\p{N}]/gu, '').length;
}
