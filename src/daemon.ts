import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { HttpServer } from './adapters/http/http-server.ts';
import { ModbusPlcReader } from './adapters/modbus/modbus-plc-reader.ts';
import { MqttSurface } from './adapters/mqtt/mqtt-surface.ts';
import { clockState } from './adapters/systemd/clock-state.ts';
import { SystemdService } from './adapters/systemd/systemd-service.ts';
import { AlarmDesk } from './app/alarm-desk.ts';
import { Announcer } from './app/announcer.ts';
import { GrammarLoader } from './app/grammar-loader.ts';
import { type NodeStatus, overallStatus } from './app/node-status.ts';
import type { Microphone } from './app/ports/microphone.ts';
import { ReadingTools } from './app/reading-tools.ts';
import { Stations } from './app/stations.ts';
import type { TurnReport } from './app/turn-report.ts';
import { VoiceLoop } from './app/voice-loop.ts';
import { composeBroker, composeLine } from './composition/line.ts';
import { controlSocketOf, exampleSentences, loadSite, type Site } from './composition/site.ts';
import { openStorage } from './composition/storage.ts';
import {
  composeEngine,
  composeMicrophone,
  composeRecogniser,
  composeVisitor,
  probeAudio,
  type Runtime,
} from './composition/voice.ts';
import { demoConfig, demoStateDir } from './config/demo-config.ts';
import { shipped } from './config/shipped.ts';
import { createEnvelope } from './domain/envelope.ts';
import { type Language, languageOf } from './domain/language/language.ts';
import { systemClocks, systemScheduler } from './runtime/clocks.ts';
import { Lifecycle } from './runtime/lifecycle.ts';
import { createLogger } from './runtime/logger.ts';
import type { Service } from './runtime/service.ts';
