import { type Found, matchesOf } from './found.ts';

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[\s,.、，]/gu, '')
    .replace(/号楼/gu, '栋');

const NO_NAME =
  '(?!(?:the|a|an|in|on|of|to|at|and|or|is|are|was|from|for|with|by|into|down|up|across|per|this|that|its|kits?|pumps?|valves?|seals?|bars?|degrees?|percent|minutes?|hours?|days?|servo|motor|belt|chain|gear|ac|dc|spindle|main drive|frequency)\\b)';
const ROOM = '(?:,? (?:apt|apartment|suite|unit|flat|room|floor)\\.? ?#?\\w+)?';
const TOWN =
  "(?:, \\p{Lu}[\\p{L}'-]+(?: \\p{Lu}[\\p{L}'-]+){0,2})?(?:,? [A-Z]{2} \\d{5}(?:-\\d{4})?|,? [A-Z]{1,2}\\d[A-Z\\d]? \\d[A-Z]{2}|,? \\d{5})?";
const HOUSE = '(?<![\\w.,/-])\\d{1,5}[a-z]?,? ';

const STREET = new RegExp(
  `${HOUSE}(?:${NO_NAME}[\\p{L}'-]+\\.? |\\d{1,3}(?:st|nd|rd|th) ){1,4}(?:street|road|avenue|boulevard)\\b${ROOM}`,
  'giu',
);
/** Words that machines have too: only as names are written. */
const NAMED_STREET = new RegExp(
  `${HOUSE}(?:(?!(?:Servo|Motor|Belt|Chain|Gear|Spindle|Main|Frequency|Inverter)\\b)\\p{Lu}\\p{Ll}[\\p{L}'-]*\\.? |\\d{1,3}(?:st|nd|rd|th) ){1,4}(?:Street|Road|Avenue|Boulevard|Lane|Way|Court|Place|Square|Terrace|Crescent|Close|Drive|Highway|Parkway|St|Rd|Ave|Blvd|Ln|Dr|Ct|Pl|Hwy)\\b\\.?${ROOM}${TOWN}`,
  'gu',
);
const GERMAN =
  /(?<![\p{L}])\p{Lu}[\p{L}-]{1,30}(?:stra(?:ß|ss)e|str\.|weg|gasse|platz|allee) \d{1,4}[a-z]?(?![\w.])(?:, ?\d{5} \p{Lu}\p{L}+)?/gu;
const BOX = /\bp\.? ?o\.? box \d+/giu;
const TOLD =
  /(?<keep>\b(?:(?:home|mailing|postal|delivery|street|his|her|my|their)(?: home)? address(?: is| was|:)|(?:i|he|she|they) lives? (?:at|on|in)|lives (?:at|on)) +)(?=[^.;。\n]*\p{L}{2})[^;。\n.]{4,100}/giu;

const NUMBER = '[0-9零〇一二三四五六七八九十百]{1,6}';
const BEFORE_NAME = '(?![在到是往至寄送为住去从])';
const PART_OF_TOWN = `(?:(?:${BEFORE_NAME}\\p{Script=Han}){2,8}?(?:省|自治区|市|州|区|县|镇|乡|街道)){0,4}`;
const MACHINE_AFTER = '(?![泵阀机线炉仪表罐站管柜传马电点井段])';
const CHINESE_STREET = new RegExp(
  `${PART_OF_TOWN}(?:${BEFORE_NAME}\\p{Script=Han}){1,6}?(?:大道|大街|胡同|(?<![管水油气电回线旁短断通网支干风汽液排进出料])路|街|巷|弄)${NUMBER}(?:号|弄)(?:院|楼)?${MACHINE_AFTER}(?:[0-9a-z一二三四五六七八九十-]{1,5}(?:号楼|号|栋|幢|座|单元|楼|层|室|户)){0,4}`,
  'giu',
);
const CHINESE_ESTATE = new RegExp(
  `${PART_OF_TOWN}(?:${BEFORE_NAME}\\p{Script=Han}){2,6}?(?:小区|花园|公寓|家园|新村|苑|村)${NUMBER}(?:号楼|号|栋|幢|座|弄|单元)${MACHINE_AFTER}(?:[0-9a-z一二三四五六七八九十-]{1,5}(?:号楼|号|栋|幢|座|单元|楼|层|室|户)){0,4}`,
  'giu',
);
const CHINESE_TOLD =
  /(?<keep>(?:(?:家庭|家里|家的?|收货|邮寄|寄送|住|他的?|她的?|我的?|联系)(?:住)?地址\s*(?:是|为|：|:)?\s*|家住|住在|家在))(?=[^，。；,;\n]*\p{Script=Han})[^，。；,;！!？?\n]{3,60}/giu;

/** Where people live: postal addresses in English, German and Chinese forms, and what somebody says an address is. */
export function findAddresses(form: string): readonly Found[] {
  return [STREET, NAMED_STREET, GERMAN, BOX, TOLD, CHINESE_STREET, CHINESE_ESTATE, CHINESE_TOLD].flatMap(
    (pattern) => matchesOf(form, pattern, 'address', plain),
  );
}
