/* Stands in for libvosk where none can be had for ARM64: the functions of vosk_api.h that the program calls, with
 * their parameters as there. It knows every word. To it, loud samples are one certain sentence, and half a second of
 * quiet ones is its end. Arguments that arrive damaged are failures. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define LOUD 5000
#define END_SAMPLES 8000

struct model { char folder[4096]; };
struct recogniser { int words, loud, quiet; };

void vosk_set_log_level(int level) { (void)level; }

struct model *vosk_model_new(const char *folder) {
  struct model *model = calloc(1, sizeof *model);
  strncpy(model->folder, folder, sizeof model->folder - 1);
  return model;
}

int vosk_model_find_word(struct model *model, const char *word) {
  return model->folder[0] == '/' && word[0] != '\0' ? 1 : -1;
}

struct recogniser *vosk_recognizer_new_grm(struct model *model, float rate, const char *grammar) {
  if (model->folder[0] != '/' || rate != 16000.0f || strncmp(grammar, "[\"", 2) != 0) return NULL;
  return calloc(1, sizeof(struct recogniser));
}

void vosk_recognizer_free(struct recogniser *recogniser) { free(recogniser); }

void vosk_recognizer_set_words(struct recogniser *recogniser, int words) { recogniser->words = words; }

int vosk_recognizer_accept_waveform_s(struct recogniser *recogniser, const short *data, int length) {
  if (length < 0 || recogniser->words != 1) return -1;
  for (int i = 0; i < length; i++) {
    if (abs(data[i]) > LOUD) {
      recogniser->loud = 1;
      recogniser->quiet = 0;
    } else if (recogniser->loud) {
      recogniser->quiet++;
    }
  }
  return recogniser->quiet >= END_SAMPLES;
}

const char *vosk_recognizer_partial_result(struct recogniser *recogniser) {
  return recogniser->loud ? "{\"partial\":\"check the network\"}" : "{\"partial\":\"\"}";
}

void vosk_recognizer_reset(struct recogniser *recogniser) { recogniser->loud = recogniser->quiet = 0; }

const char *vosk_recognizer_result(struct recogniser *recogniser) {
  vosk_recognizer_reset(recogniser);
  return "{\"result\":[{\"word\":\"check\",\"start\":0.6,\"end\":0.8,\"conf\":1},"
         "{\"word\":\"the\",\"start\":0.8,\"end\":0.9,\"conf\":1},"
         "{\"word\":\"network\",\"start\":0.9,\"end\":1.1,\"conf\":1}],\"text\":\"check the network\"}";
}

const char *vosk_recognizer_final_result(struct recogniser *recogniser) {
  return vosk_recognizer_result(recogniser);
}
