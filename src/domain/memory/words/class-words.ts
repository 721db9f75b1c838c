import type { Language } from '../../language/language.ts';

type PerLanguage = Readonly<Record<Language, RegExp>>;

/** Remarks that keep people from harm. */
export const SAFETY_WORDS: PerLanguage = {
  en: /\b(?:never|do not|don't|must not|mustn't|forbidden|prohibited|always) (?:\w+ )?(?:reach|touch|enter|climb|bypass|open|step|stand|lean|smoke|put your|go (?:in|under|near)|walk|run (?:it )?without|operate|start (?:it )?without|defeat|disable|wear|lock ?out|tag ?out|isolate|de-?energi[sz]e|vent|ground)\b|\b(?:lock-?out|tag-?out|loto|risk of (?:injury|burns?|shock|explosion|crushing)|high voltage|danger(?:ous)? (?:to|of|zone)|safety (?:rule|remark|note|first)|protective (?:gloves|goggles|clothing)|hazard|crush(?:ing)? (?:hazard|point)|live wires?|asphyxiat\w*|toxic|explosive|emergency stop must|hands? (?:out of|away from))\b/iu,
  zh: /严禁|禁止|切勿|不得(?:进入|触摸|打开|拆|伸|靠近|操作|带电)|(?:千万|绝对|一定)?(?:不要|别|不能|不准|不许)(?:把?手?伸|触摸|摸|碰|进入|靠近|站在|带电|跨越|拆防护|短接|屏蔽|用手)|必须(?:戴|佩戴|穿|上锁|挂牌|断电|停电|接地|验电)|上锁挂牌|高压危险|有电危险|安全(?:注意|规定|提醒|须知)|触电|夹手|烫伤|有毒|易燃易爆/u,
};

/** Alarms, stops, causes, repairs and findings. */
export const INCIDENT_WORDS: PerLanguage = {
  en: /\b(?:alarms?|alarmed|trip(?:ped|s)|fault(?:s|ed|y)?|fail(?:ed|s|ure|ures)|broke(?:n)?|breakdown|leak(?:s|ed|ing|age)?|stopped|shut ?down|shutdown|down since|jam(?:med|s)?|blocked|clogged|overheat(?:s|ed|ing)?|burn(?:t|ed) out|crack(?:ed|s)?|cause(?:d)?(?: by| was| of)?|because of|due to|root cause|diagnos\w+|repair(?:ed|s)?|fixed|replaced|seized|vibrat(?:es|ed|ing|ion)|noise|worn(?: out)?|emergency stop|spill(?:ed)?|short circuit)\b/iu,
  zh: /报警|警报|跳闸|故障|失效|坏了|损坏|断裂|泄漏|漏油|漏水|漏气|漏了|渗漏|停机|停了|停线|宕机|卡死|卡住|堵塞|堵了|过热|烧了|烧坏|开裂|裂纹|原因|由于|因为|导致|诊断|维修|修好|修理|更换了|换了|抱死|振动|震动|异响|磨损|急停|短路/u,
};

/** Where goods and people go today. */
export const LOGISTICS_WORDS: PerLanguage = {
  en: /\b(?:deliver(?:y|ies|ed|s)?|truck|lorry|forklift|pallets?|shipment|shipped|courier|parcel|arriv(?:e|es|ed|al|ing)|visitors?|audit(?:ors?)? (?:comes?|visit)|loading|unloading|dispatch(?:ed)?|pick(?:ed)? up|handover|raw material|in stock|out of stock|meeting)\b/iu,
  zh: /送货|到货|发货|收货|快递|货车|卡车|叉车|托盘|运到|装车|卸货|访客|参观|来料|原料|缺料|领料|入库|出库|库存|开会|会议|交接/u,
};

/** What holds for a while and says so, or is the state of the hour. */
export const PASSING_WORDS: PerLanguage = {
  en: /\b(?:until|till|for now|at the moment|right now|currently|temporar(?:y|ily)|today|tonight|tomorrow|this (?:shift|morning|afternoon|evening|week)|out of service|out of order|locked out|on standby|by (?:monday|tuesday|wednesday|thursday|friday|saturday|sunday))\b/iu,
  zh: /暂时|临时|目前|现在|今天|今晚|明天|本周|这周|本班|这班|停用|检修中|维修中|备用状态|直到|到周[一二三四五六日天](?:为止)?|周[一二三四五六日天](?:之)?前/u,
};

/** What a person likes, does or answers for. */
export const PERSON_WORDS: PerLanguage = {
  en: /\b(?:responsible|in charge|prefers?|likes?|works? (?:on|in|nights?|days?)|on (?:holiday|vacation|leave|call)|knows?|trained|qualified|speaks?|takes? over|is (?:the|our|a|an) (?:\w+ )?(?:fitter|electrician|engineer|manager|supervisor|operator|foreman|technician|planner|lead))\b/iu,
  zh: /负责|喜欢|偏好|擅长|会修|培训|资质|休假|请假|值班|接班|接手|是(?:我们)?的?(?:电工|钳工|工程师|经理|主管|班长|组长|操作工|技术员|师傅)/u,
};

/** A call that changed something, unlike one that read a value. */
export const ACTED_WORDS: PerLanguage = {
  en: /\b(?:set|wrote|written|changed|started|sent|mailed|exported|created|reset|acknowledged|opened|closed|switched|moved|ordered|updated|saved|printed)\b/iu,
  zh: /已?(?:设定|设为|设置|写入|改为|启动|发送|导出|创建|复位|确认|打开|关闭|切换|订购|更新|保存|打印)了?/u,
};
