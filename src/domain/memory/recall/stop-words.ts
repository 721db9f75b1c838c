/** Words that say nothing of what a text is about: neither kept for searching nor searched for. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a an the of in on at to from with and or but so if then than that this these those it its is are was were be been being am ' +
    'do does did done doing has have had having will would can could shall should may might must ' +
    'i me my mine you your yours he him his she her hers we us our ours they them their theirs who whom whose which what when where why how ' +
    'for by as about into over under up down out off again once here there all any some such no not nor only own same too very just also ' +
    'please tell say said says show give get got let know think remember recall ok okay well hey hi hello yes yeah um uh er like ' +
    'much many more most other another because while during before after until since between both each few ' +
    's t ll re ve m d don didn doesn isn wasn won can t hermes ' +
    '的 了 是 在 和 与 请 我 你 您 他 她 它 们 我们 你们 他们 咱们 吗 呢 吧 啊 呀 哦 嗯 把 被 给 个 就 都 也 还 又 要 有 没 没有 不 很 太 ' +
    '这 那 这个 那个 这里 那里 什么 怎么 怎样 怎么样 谁 哪 哪个 哪里 哪儿 几 多少 为什么 为何 什么时候 何时 请问 告诉 一下 知道 记得 说 说过 ' +
    '对 跟 从 到 向 往 为 以 而 但 但是 所以 因为 如果 或者 以及 并 并且 得 地 着 过 来 去 会 能 可以 应该 可能 已经 正在 一个 一些 有没有 是不是'
  ).split(' '),
);
