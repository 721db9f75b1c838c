/**
 * Words that a short name would be found in: 张工 in 紧张工作, 小张 in 减小张力, 二号线 in 二号线圈. Chinese has no blanks, so a name that
 * cuts through one of these is none.
 */
const CHINESE_WORDS =
  /工作|工厂|工具|工艺|工序|工资|工地|工人|工时|工段|工况|工件|工位|工程|紧张|张力|张紧|主张|扩张|夸张|王牌|马上|马力|马达|李子|林业|黄油|黄色|黄铜|高度|高温|高压|高速|金属|石油|水平|白色|线圈|线路|线缆|线速|线性|线束|线头|线槽|泵房|泵站|泵车|机房|机组|门口|部门|专门|热门|炉渣|炉料|罐车|罐装|模式化|电流表|电压表|压力机|压力表|流量计|温度计|转速表/gu;

/** English words that are also names of people: only meant so where they are written with a capital inside of a sentence. */
export const WORDS_AND_NAMES: ReadonlySet<string> = new Set(
  'a an ah ai art bill bin bo can chip chuck dan den dean dong drew en fan far fen frank fu gang gene grace guy hang he her hi hope hung i joy june kang lane long mark may me min mike miles no nick on pan pat pin ping rich rob rod sang she shi sin so song sue sun tang tie to tong van wade wan wen will win wing won wood woo xi yin you young yin yuan'.split(
    ' ',
  ),
);

/** Where those words stand in a text, as spans. */
export function lookAlikesIn(form: string): readonly (readonly [number, number])[] {
  return [...form.matchAll(CHINESE_WORDS)].map(({ index, 0: word }) => [index, index + word.length]);
}

/**
 * What follows a number that counts or measures: "check the pump 3 times", "raise line 2 degrees", 泵3分钟后. Screws have codes like
 * machines: "an M12 bolt".
 */
export const COUNTED =
  /^[^\S\n\r]*(?:%|°|[点分秒个台天度次月年日米巴升倍转条人块安伏帕]|小时|(?:times?|hours?|minutes?|mins?|seconds?|days?|weeks?|months?|years?|degrees?|percent|bars?|amps?|volts?|rpm|o'clock|[ap]m|met(?:er|re)s?|millimet(?:er|re)s?|lit(?:er|re)s?|pascals?|hertz|hz|bolts?|screws?|nuts?|threads?)(?![\p{L}\p{N}])|螺)/iu;
