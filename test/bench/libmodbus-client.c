/* PORT: for each line `READS` on stdin reads 10 holding registers that often over one connection to the loopback
 * interface, with libmodbus, and says `WALL_MS CPU_MS MEDIAN_MS`, the last of one read. */
#include <modbus.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

static double cpu_ms(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e3 +
           (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e3;
}

static double wall_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1e3 + now.tv_nsec / 1e6;
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *) a, y = *(const double *) b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv) {
    uint16_t registers[10];
    int reads;
    if (argc != 2) return 2;
    while (scanf("%d", &reads) == 1) {
        modbus_t *context = modbus_new_tcp("127.0.0.1", atoi(argv[1]));
        modbus_set_slave(context, 1);
        if (modbus_connect(context) == -1) return 1;
        double *took = calloc(reads, sizeof *took);
        double wall = wall_ms(), cpu = cpu_ms();
        for (int read = 0; read < reads; read++) {
            double begun = wall_ms();
            if (modbus_read_registers(context, 20, 10, registers) != 10 || registers[9] != 29) return 1;
            took[read] = wall_ms() - begun;
        }
        cpu = cpu_ms() - cpu;
        wall = wall_ms() - wall;
        qsort(took, reads, sizeof *took, by_size);
        printf("%f %f %f\n", wall, cpu, took[(reads - 1) / 2]);
        free(took);
        fflush(stdout);
        modbus_close(context);
        modbus_free(context);
    }
    return 0;
}
