/** The holding register of the setpoint, of unit 1; the motor and the limit follow. */
export const SETPOINT = 30;

/** Machine twelve and a boiler, whose setpoints, motors and limits may be written. */
export function writablePlant(port: number): string {
  return `
connections:
  plc-1: { transport: tcp, host: 127.0.0.1, port: ${port}, timeout_ms: 2000 }
devices:
  plc: { connection: plc-1, unit_id: 1, address_base: 0, byte_order: ABCD, poll_interval_ms: 200 }
machines:
  machine-12:
    names: { en: [machine twelve], zh: [十二号机床] }
    device: plc
    points:
      temperature: { names: { en: [temperature], zh: [温度] }, register: holding, address: 10, type: int16, scale: 0.1, unit: degC }
      setpoint:
        names: { en: [setpoint], zh: [设定值] }
        register: holding
        address: ${SETPOINT}
        type: uint16
        unit: degC
        access: read_write
        write_min: 0
        write_max: 90
      run:
        names: { en: [motor], zh: [电机] }
        register: holding
        address: ${SETPOINT + 1}
        type: uint16
        access: read_write
        write_min: 0
        write_max: 1
        enum: { 0: { en: stopped, zh: 停止 }, 1: { en: running, zh: 运行 } }
      limit:
        names: { en: [limit], zh: [上限] }
        register: holding
        address: ${SETPOINT + 2}
        type: uint16
        unit: degC
        access: read_write
        write_min: 0
        write_max: 120
        write_risk: dangerous
    commands:
      start: { point: run, value: 1 }
      stop: { point: run, value: 0 }
  boiler:
    names: { en: [boiler], zh: [锅炉] }
    device: plc
    points:
      run:
        names: { en: [burner], zh: [燃烧器] }
        register: holding
        address: 40
        type: uint16
        access: read_write
        write_min: 0
        write_max: 1
        enum: { 0: { en: stopped, zh: 停止 }, 1: { en: running, zh: 运行 } }
    commands:
      start: { point: run, value: 1 }
      stop: { point: run, value: 0 }
`;
}
