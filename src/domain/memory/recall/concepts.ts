/**
 * What the people of a factory say in several words and in two languages. Each line is one meaning: its English words, then
 * its Chinese ones. A text that holds one of them is found by the others.
 */
const CONCEPTS: Readonly<Record<string, readonly [en: string, zh: string]>> = {
  replace: ['replace change swap renew exchange', '更换 换 换上 换掉 换成 替换 换新 调换 换了'],
  repair: ['repair fix mend overhaul rebuild', '修 修理 维修 修好 抢修 检修 修复 大修'],
  clean: ['clean wash flush rinse wipe', '清洗 清洁 清理 冲洗 擦 打扫 清扫 洗'],
  inspect: ['inspect check examine verify', '检查 查看 检验 点检 巡检 查'],
  adjust: ['adjust set tune reset align realign', '调整 调 调节 设定 设置 调到 校正 对中'],
  tighten: ['tighten torque retighten', '拧紧 紧固 上紧 紧'],
  loose: ['loose loosen slack', '松 松动 松了'],
  lubricate: ['lubricate grease oil lube', '润滑 加油 上油 打黄油 注油 油脂 黄油 润滑脂'],
  calibrate: ['calibrate calibration', '校准 标定 校验'],
  install: ['install fit mount', '安装 装上 装'],
  remove: ['remove dismount dismantle', '拆 拆下 拆掉 拆除 卸下'],
  order: ['order purchase buy procure', '订购 采购 订 购买 下单 订货'],
  deliver: ['deliver delivery arrive ship shipment', '送货 到货 交货 发货 送到'],
  supplier: ['supplier vendor manufacturer', '供应商 厂家 厂商 供货商'],
  stop: ['stop halt trip shutdown standstill outage', '停 停机 停车 停止 跳闸 停产 停了'],
  start: ['start restart begin', '启动 开机 重启 开始 开动'],
  alarm: ['alarm alert warning', '报警 警报 告警 警告'],
  fault: ['fault error failure malfunction problem trouble issue', '故障 错误 失效 毛病 问题 出问题 异常'],
  break: ['break crack snap fracture damage', '断 断裂 坏 坏了 损坏 破 破裂 裂 裂纹 开裂'],
  leak: ['leak drip seep leakage', '漏 泄漏 漏水 漏油 渗漏 滴漏 漏气'],
  hot: [
    'hot overheat overheating overtemperature heat temperature warm',
    '热 过热 发热 发烫 烫 温度 超温 高温',
  ],
  cold: ['cold cool freeze', '冷 冷却 结冰 冻'],
  noise: ['noise noisy loud sound squeal rattle hum grind', '噪音 噪声 异响 响 声音 响声 吵'],
  vibration: ['vibration vibrate shake', '振动 震动 抖动 晃'],
  wear: ['wear worn abrasion', '磨损 磨 老化'],
  blocked: ['block clog jam plug stuck', '堵 堵塞 卡 卡住 卡死 卡料 堵料'],
  slip: ['slip skid', '打滑 滑'],
  dirty: ['dirty dirt dust contamination', '脏 污 灰尘 粉尘 污垢'],
  rust: ['rust corrosion corrode', '锈 生锈 腐蚀'],
  pressure: ['pressure bar', '压力 压 气压 油压'],
  flow: ['flow throughput', '流量'],
  level: ['level', '液位 料位 油位'],
  speed: ['speed rpm pace', '速度 转速 车速'],
  current: ['current amp ampere', '电流 安培'],
  voltage: ['voltage volt', '电压 伏'],
  weight: ['weight weigh', '重量 称重'],
  limit: ['limit maximum threshold ceiling', '上限 限值 极限 最高 限度 阈值'],
  setpoint: ['setpoint setting target', '设定值 目标值 给定值'],
  seal: ['seal gasket packing', '密封 密封件 机封 垫片 密封圈 垫圈 盘根'],
  bearing: ['bearing', '轴承'],
  shaft: ['shaft axle spindle', '轴 主轴'],
  motor: ['motor engine drive', '电机 马达 电动机 驱动'],
  inverter: ['inverter vfd converter', '变频器'],
  belt: ['belt', '皮带 传送带 输送带 三角带'],
  chain: ['chain sprocket', '链条 链 链轮'],
  gear: ['gear gearbox reducer', '齿轮 减速机 齿轮箱 减速器'],
  coupling: ['coupling', '联轴器'],
  valve: ['valve solenoid', '阀 阀门 电磁阀'],
  pump: ['pump', '泵 水泵'],
  impeller: ['impeller', '叶轮'],
  filter: ['filter strainer', '滤芯 过滤器 滤网 过滤'],
  hose: ['hose pipe tube tubing', '管 软管 水管 油管 管子 管路'],
  sensor: ['sensor probe detector encoder thermocouple', '传感器 探头 感应器 编码器 热电偶'],
  switch: ['switch', '开关'],
  relay: ['relay contactor', '继电器 接触器'],
  fuse: ['fuse breaker', '保险丝 熔断器 断路器 保险'],
  cable: ['cable wire wiring connector plug terminal', '电缆 线缆 接线 接头 插头 端子 电线'],
  cylinder: ['cylinder', '气缸 油缸'],
  nozzle: ['nozzle', '喷嘴'],
  knife: ['knife blade cutter', '刀 刀片 切刀'],
  roller: ['roller roll', '辊 滚筒 辊子'],
  fan: ['fan blower ventilator', '风扇 风机'],
  heater: ['heater heating element', '加热器 加热管 加热'],
  oven: ['oven furnace', '烘箱 烤箱 炉 炉子 烘炉'],
  boiler: ['boiler', '锅炉'],
  compressor: ['compressor', '空压机 压缩机'],
  conveyor: ['conveyor', '输送机 传送机 输送线'],
  robot: ['robot manipulator', '机器人 机械手'],
  press: ['press', '压机 冲床 压力机'],
  filler: ['filler filling', '灌装机 灌装'],
  labeller: ['labeller labeler labelling label', '贴标机 贴标 标签'],
  tank: ['tank vessel', '罐 储罐 水箱 油箱'],
  bolt: ['bolt screw nut', '螺栓 螺丝 螺母 螺钉'],
  oil: ['oil', '油 机油 液压油'],
  water: ['water', '水'],
  coolant: ['coolant', '冷却液 冷却水'],
  air: ['air compressed', '空气 气 压缩空气'],
  steam: ['steam', '蒸汽'],
  power: ['power electricity', '电 电源 停电 断电'],
  spare: ['spare part stock', '备件 配件 备品 库存 零件'],
  cabinet: ['cabinet cupboard locker', '柜 柜子 柜里 备件柜'],
  shelf: ['shelf rack', '架 货架 架子 层'],
  drawer: ['drawer', '抽屉'],
  store: ['store storage warehouse storeroom stockroom', '仓库 库房 库'],
  key: ['key', '钥匙'],
  tool: ['tool wrench spanner', '工具 扳手'],
  manual: ['manual documentation drawing schematic', '说明书 手册 图纸'],
  responsible: ['responsible charge owner lead', '负责 负责人 主管 归'],
  shift: ['shift crew', '班 班次 班组'],
  handover: ['handover', '交接 交接班 交班 接班'],
  visitor: ['visitor visit guest audit', '参观 来访 访客 审核'],
  meeting: ['meeting', '会议 开会 会'],
  training: ['training course', '培训'],
  holiday: ['holiday vacation leave', '休假 放假 请假 假期'],
  quality: ['quality scrap reject defect', '质量 废品 次品 不良 报废 缺陷'],
  batch: ['batch lot', '批次 批'],
  product: ['product recipe variety', '产品 配方 品种'],
  danger: ['danger dangerous hazard unsafe safety', '危险 安全 隐患 小心 注意'],
  guard: ['guard cover door interlock', '防护罩 护罩 盖 门 联锁'],
  injury: ['injury injure hurt burn accident', '受伤 烫伤 事故 伤'],
  cause: ['cause reason because root', '原因 起因 导致 引起 造成 由于'],
  work_order: ['workorder', '工单 派工单'],
  report: ['report', '报告'],
  test: ['test trial', '测试 试 试验 试运行'],
  late: ['late delay postpone', '延迟 推迟 延期 晚'],
  cancel: ['cancel abort', '取消'],
  increase: ['increase raise higher', '提高 升高 增加 上升 加大'],
  decrease: ['decrease lower reduce drop', '降低 下降 减少 降 调低'],
  empty: ['empty', '空'],
  full: ['full overflow', '满 溢出'],
  call: ['call phone ring', '打电话 叫 呼叫 通知 联系'],
  cost: ['cost price expensive', '价格 费用 钱 成本 贵'],
  week: ['week', '周 星期'],
  month: ['month', '月'],
  today: ['today', '今天 今日'],
  night: ['night', '夜 夜班 夜里 晚上'],
  morning: ['morning', '早上 早班 上午'],
  afternoon: ['afternoon', '下午 中班'],
};

const PREFIX = 'c_';

/** Terms of the concepts by English stems, those of several words with a space between, and by Chinese word. */
export interface ConceptIndex {
  readonly byStem: ReadonlyMap<string, readonly string[]>;
  readonly byHan: ReadonlyMap<string, readonly string[]>;
  /** In characters. */
  readonly longestHan: number;
  /** In words. */
  readonly longestPhrase: number;
}

/** `stem` is the one that index terms are made with. */
export function conceptIndex(stem: (word: string) => string): ConceptIndex {
  const byStem = new Map<string, string[]>();
  const byHan = new Map<string, string[]>();
  const add = (map: Map<string, string[]>, key: string, id: string): void => {
    const known = map.get(key) ?? [];
    if (!known.includes(`${PREFIX}${id}`)) map.set(key, [...known, `${PREFIX}${id}`]);
  };
  for (const { id, en, zh } of conceptLines()) {
    for (const words of en) add(byStem, words.split(' ').map(stem).join(' '), id);
    for (const word of zh) add(byHan, word, id);
  }
  return {
    byStem,
    byHan,
    longestHan: Math.max(...[...byHan.keys()].map((word) => word.length)),
    longestPhrase: Math.max(...[...byStem.keys()].map((words) => words.split(' ').length)),
  };
}

function conceptLines(): readonly {
  readonly id: string;
  readonly en: readonly string[];
  readonly zh: readonly string[];
}[] {
  return Object.entries(CONCEPTS).map(([id, [en, zh]]) => ({ id, en: en.split(' '), zh: zh.split(' ') }));
}
